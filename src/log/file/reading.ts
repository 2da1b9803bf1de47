import { createYielding } from '../../loop/yielding.js'
import { type Entry, lastPositionOf, type StoredRecord, toEntry, UnknownRecord } from '../entries.js'
import { NewerVersion } from '../graph-log.js'
import { Broken } from './disk/errors.js'
import type { OpenFile } from './disk/files.js'
import { decodeFrame, decodeLine, headOf, isIntact, isLogHeader } from './frame.js'
import { type GraphHome, journalPath, snapshotPath } from './journal.js'
import { firstLineOf, type LogLine, linesOf } from './scan.js'
import { withoutComma } from './snapshot.js'

/**
 * Reads the frames of a graph up to a position. All files are opened at the start and stay readable to the end: a compaction
 * or an erasure replaces or removes their names, but does not change the open files.
 */
export class Reading {
  readonly #home: GraphHome
  readonly #through: number
  readonly #snapshot: OpenFile | undefined
  /** It may start with lines that are also in the snapshot. */
  readonly #journal: OpenFile

  private constructor(home: GraphHome, through: number, snapshot: OpenFile | undefined, journal: OpenFile) {
    this.#home = home
    this.#through = through
    this.#snapshot = snapshot
    this.#journal = journal
  }

  static async open(home: GraphHome, through: number): Promise<Reading> {
    const { files } = home
    // The journal first: a snapshot that is written in between only overlaps with it, so there is no gap.
    const journal = await files.openToRead(journalPath(home))
    try {
      const path = snapshotPath(home)
      const snapshot = files.identify(path) && (await files.openToRead(path))
      return new Reading(home, through, snapshot, journal)
    } catch (error) {
      await journal.close()
      throw error
    }
  }

  /** The lines after a position, in order and in batches. */
  async *lines(after = 0): AsyncGenerator<readonly LogLine[]> {
    const yielding = createYielding()
    const journalStart = after === 0 ? 0 : await positionBefore(this.#journal)
    // If the journal holds all lines that are needed, the snapshot is not read.
    const isInJournal = after > 0 && journalStart <= after
    let last = isInJournal ? journalStart : 0
    const snapshot = isInJournal ? undefined : this.#snapshot
    for (const file of snapshot === undefined ? [this.#journal] : [snapshot, this.#journal])
      for await (const lines of linesOf(file)) {
        const page: LogLine[] = []
        for (const line of lines) {
          const { offset, bytes } = withoutComma(line)
          const head = headOf(bytes)
          // Lines that are skipped are not checked.
          if (head === undefined || head.seq <= last || (last >= after && !isIntact(bytes))) continue
          if (head.seq > this.#through) break
          if (head.seq !== last + 1) throw this.#missing(last + 1)
          last += head.count
          if (last > after) page.push({ ...head, offset, bytes })
          const turn = yielding()
          if (turn !== undefined) await turn
        }
        if (page.length > 0) yield page
        if (last >= this.#through) return
      }
    if (last < this.#through) throw this.#missing(last + 1)
  }

  /** The entries after a position that end at `from` or later, in the batches in which they are read. */
  async *entries(after = 0, from = 0): AsyncGenerator<readonly Entry[]> {
    const yielding = createYielding()
    for await (const lines of this.lines(Math.max(after, from - 1))) {
      const entries: Entry[] = []
      for (const { seq, count, bytes } of lines) {
        const { records, once } = await decodeFrame<StoredRecord>(bytes)
        entries.push(
          withoutReadPart(after, this.#entry(seq, count, { records, ...(once !== undefined && { once }) })),
        )
        const turn = yielding()
        if (turn !== undefined) await turn
      }
      yield entries
    }
  }

  async close(): Promise<void> {
    await this.#snapshot?.close()
    await this.#journal.close()
  }

  #entry(...stored: Parameters<typeof toEntry>): Entry {
    try {
      return toEntry(...stored)
    } catch (error) {
      if (error instanceof UnknownRecord) throw new NewerVersion(this.#home.graph)
      throw error
    }
  }

  #missing(position: number): Broken {
    return new Broken(journalPath(this.#home), 0, `position ${position} cannot be read`)
  }
}

/** Trims an entry to the positions behind `after`: an erasure may have merged empty entries across that head. */
function withoutReadPart(after: number, entry: Entry): Entry {
  if (entry.position > after) return entry
  const records = entry.records.filter(({ seq }) => seq > after)
  return { ...entry, position: after + 1, count: lastPositionOf(entry) - after, records }
}

/** The position before the first frame of a journal. Its header was checked when the data folder was opened. */
async function positionBefore(journal: OpenFile): Promise<number> {
  const first = await firstLineOf(journal)
  const header = first !== undefined && isIntact(first.bytes) ? decodeLine(first.bytes) : undefined
  return isLogHeader(header) ? header.after : 0
}
