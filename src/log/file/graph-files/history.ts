import type { GraphRecord } from '../../../graph/records.js'
import { createYielding } from '../../../loop/yielding.js'
import type { StoredRecord } from '../../stored.js'
import { Broken } from '../disk/errors.js'
import type { OpenFile } from '../disk/files.js'
import { decodeFrame, type Frame, headOf, isIntact } from '../log/frame.js'
import { type Line, linesAt } from '../log/lines.js'
import { type GraphHome, journalPath, snapshotPath } from './journal.js'

/** The graph that the records are of: it knows what was left out of them. */
interface Restoring {
  readonly lastSeq: number
  restore(stored: StoredRecord): GraphRecord
}

/** Where a line begins: in which of the files, at which byte, and the last record before it. */
export interface HistoryPlace {
  readonly file: number
  readonly offset: number
  readonly last: number
}

export const START: HistoryPlace = { file: 0, offset: 0, last: 0 }

export interface HistoryPart {
  readonly frames: readonly Frame<GraphRecord>[]
  /** Where the next part begins; undefined after the last one. */
  readonly next: HistoryPlace | undefined
}

/**
 * The records of a graph up to the last one that it has now. The files are open from the start, so that they can be read to the end
 * whatever happens to their names: a compaction replaces them, an erasure removes them, and neither changes them.
 */
export class GraphHistory {
  readonly #home: GraphHome
  readonly #graph: Restoring
  /** The last record of it. */
  readonly lastSeq: number
  /** The snapshot, if there is one, and the journal, which may begin with lines that the snapshot holds. */
  readonly #files: readonly OpenFile[]

  private constructor(home: GraphHome, graph: Restoring, lastSeq: number, files: readonly OpenFile[]) {
    this.#home = home
    this.#graph = graph
    this.lastSeq = lastSeq
    this.#files = files
  }

  static async open(home: GraphHome, graph: Restoring): Promise<GraphHistory> {
    const { files } = home
    // Before the journal is opened, which what is recorded afterwards may no longer go into.
    const { lastSeq } = graph
    // In this order: a snapshot that is written in between only holds more of what the journal holds, too.
    const journal = await files.openToRead(journalPath(home))
    try {
      const path = snapshotPath(home)
      const snapshot = files.identify(path) === undefined ? [] : [await files.openToRead(path)]
      return new GraphHistory(home, graph, lastSeq, [...snapshot, journal])
    } catch (error) {
      await journal.close()
      throw error
    }
  }

  /** What was written in one go, in order, some at a time; what only holds records up to `unneeded` is passed over. */
  async *frames(unneeded = 0): AsyncGenerator<readonly Frame<GraphRecord>[]> {
    for (let at: HistoryPlace | undefined = START; at !== undefined; ) {
      const { frames, next }: HistoryPart = await this.part(at, unneeded)
      if (frames.length > 0) yield frames
      at = next
    }
  }

  /** The same from a place on, as much as is read in one go. */
  async part(at: HistoryPlace, unneeded = 0): Promise<HistoryPart> {
    const yielding = createYielding()
    let { last, offset } = at
    const frames: Frame<GraphRecord>[] = []
    const file = this.#files[at.file]
    if (file === undefined) throw this.#missing(last + 1)
    const lines = await linesAt(file, offset)
    if (lines.length === 0) return { frames, next: { file: at.file + 1, offset: 0, last } }
    for (const line of lines) {
      offset = line.offset + line.bytes.length + 1
      const bytes = frameIn(line)
      const head = bytes && headOf(bytes)
      if (bytes === undefined || head === undefined || head.seq <= last) continue
      if (head.seq > this.lastSeq) break
      if (head.seq !== last + 1) throw this.#missing(last + 1)
      last += head.count
      if (last <= unneeded) continue
      const { records, ...frame } = await decodeFrame<StoredRecord>(bytes)
      frames.push({ ...frame, records: records.map((record) => this.#graph.restore(record)) })
      const turn = yielding()
      if (turn !== undefined) await turn
    }
    return { frames, next: last < this.lastSeq ? { file: at.file, offset, last } : undefined }
  }

  async close(): Promise<void> {
    for (const file of this.#files) await file.close()
  }

  #missing(seq: number): Broken {
    return new Broken(journalPath(this.#home), 0, `record ${seq} cannot be read`)
  }
}

const COMMA = 0x2c

/** What an intact line of either file was written in one go with; undefined for headers, footers and what is damaged. */
function frameIn({ bytes, ended }: Line): Buffer | undefined {
  const frame = bytes.at(-1) === COMMA ? bytes.subarray(0, -1) : bytes
  return ended && isIntact(frame) ? frame : undefined
}
