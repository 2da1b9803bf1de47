import { createYielding } from '../../../loop/yielding.js'
import { Broken } from '../disk/errors.js'
import type { OpenFile } from '../disk/files.js'
import { decodeFrame, type Frame, headOf, isIntact } from '../log/frame.js'
import { linesOf } from '../log/lines.js'
import type { GraphRecord } from '../log/records.js'
import type { StoredRecord } from '../log/stored.js'
import { type GraphHome, journalPath, snapshotPath } from './journal.js'
import { readSnapshotLines } from './snapshot.js'

/** The graph that the records are of: it knows what was left out of them. */
interface Restoring {
  readonly lastSeq: number
  restore(stored: StoredRecord): GraphRecord
}

/**
 * The records of a graph up to the last one that it has now. The files are open from the start, so that they can be read to the end
 * whatever happens to their names: a compaction replaces them, an erasure removes them, and neither changes them.
 */
export class GraphHistory {
  readonly #home: GraphHome
  readonly #graph: Restoring
  readonly #lastSeq: number
  readonly #journal: OpenFile
  readonly #snapshot: OpenFile | undefined

  private constructor(home: GraphHome, graph: Restoring, journal: OpenFile, snapshot: OpenFile | undefined) {
    this.#home = home
    this.#graph = graph
    this.#lastSeq = graph.lastSeq
    this.#journal = journal
    this.#snapshot = snapshot
  }

  static async open(home: GraphHome, graph: Restoring): Promise<GraphHistory> {
    const { files } = home
    // In this order: a snapshot that is written in between only holds more of what the journal holds, too.
    const journal = await files.openToRead(journalPath(home))
    try {
      const path = snapshotPath(home)
      const snapshot = files.identify(path) === undefined ? undefined : await files.openToRead(path)
      return new GraphHistory(home, graph, journal, snapshot)
    } catch (error) {
      await journal.close()
      throw error
    }
  }

  /** What was written in one go, in order, some at a time; what only holds records up to `unneeded` is passed over. */
  async *frames(unneeded = 0): AsyncGenerator<readonly Frame<GraphRecord>[]> {
    const yielding = createYielding()
    let last = 0
    for await (const lines of this.#lines()) {
      const frames: Frame<GraphRecord>[] = []
      for (const bytes of lines) {
        const { seq, count } = headOf(bytes) ?? { seq: 0, count: 0 }
        if (seq <= last) continue
        if (seq !== last + 1) throw this.#missing(last + 1)
        if (seq > this.#lastSeq) break
        last = seq + count - 1
        if (last <= unneeded) continue
        const { records, ...frame } = await decodeFrame<StoredRecord>(bytes)
        frames.push({ ...frame, records: records.map((record) => this.#graph.restore(record)) })
        const turn = yielding()
        if (turn !== undefined) await turn
      }
      if (frames.length > 0) yield frames
      if (last >= this.#lastSeq) return
    }
    throw this.#missing(last + 1)
  }

  async close(): Promise<void> {
    await this.#journal.close()
    await this.#snapshot?.close()
  }

  /** The intact lines of the snapshot and then of the journal, which may begin with some that the snapshot holds. */
  async *#lines(): AsyncGenerator<readonly Buffer[]> {
    if (this.#snapshot !== undefined) {
      const path = snapshotPath(this.#home)
      for await (const lines of readSnapshotLines(this.#snapshot, path)) yield lines.map(({ bytes }) => bytes)
    }
    for await (const lines of linesOf(this.#journal))
      yield lines.flatMap(({ bytes, ended }) =>
        ended && isIntact(bytes) && headOf(bytes) !== undefined ? [bytes] : [],
      )
  }

  #missing(seq: number): Broken {
    return new Broken(journalPath(this.#home), 0, `record ${seq} cannot be read`)
  }
}
