import { createYielding } from '../../loop/yielding.js'
import { type Entry, lastPositionOf, type StoredRecord, toEntry, UnknownRecord } from '../entries.js'
import { NewerVersion } from '../graph-log.js'
import { Broken } from './disk/errors.js'
import type { OpenFile } from './disk/files.js'
import { decodeFrame, decodeLine, headOf, isIntact, isLogHeader } from './frame.js'
import { type GraphHome, journalPath, snapshotPath } from './journal.js'
import { type Line, type LogLine, linesOf } from './scan.js'

/**
 * The frames of a graph up to a position. The files are open from the start, so that they can be read to the end whatever
 * happens to their names: a compaction replaces them, an erasure removes them, and neither changes them.
 */
export class Reading {
  readonly #home: GraphHome
  readonly #through: number
  /** The snapshot, if there is one, and the journal, which may begin with lines that the snapshot holds. */
  readonly #files: readonly OpenFile[]

  private constructor(home: GraphHome, through: number, files: readonly OpenFile[]) {
    this.#home = home
    this.#through = through
    this.#files = files
  }

  static async open(home: GraphHome, through: number): Promise<Reading> {
    const { files } = home
    // In this order: a snapshot that is written in between only holds more of what the journal holds, too.
    const journal = await files.openToRead(journalPath(home))
    try {
      const path = snapshotPath(home)
      const snapshot = files.identify(path) === undefined ? [] : [await files.openToRead(path)]
      return new Reading(home, through, [...snapshot, journal])
    } catch (error) {
      await journal.close()
      throw error
    }
  }

  /** The lines after a position, in order, some at a time. */
  async *lines(after = 0): AsyncGenerator<readonly LogLine[]> {
    const yielding = createYielding()
    const journal = this.#files.at(-1)
    const begins = journal === undefined || after === 0 ? 0 : await beginOf(journal)
    // What the snapshot holds is not asked for.
    const isInJournal = after > 0 && begins <= after
    let last = isInJournal ? begins : 0
    for (const file of isInJournal ? this.#files.slice(-1) : this.#files)
      for await (const lines of linesOf(file)) {
        const found: LogLine[] = []
        for (const line of lines) {
          const bytes = frameIn(line, last < after)
          const head = bytes && headOf(bytes)
          if (bytes === undefined || head === undefined || head.seq <= last) continue
          if (head.seq > this.#through) break
          if (head.seq !== last + 1) throw this.#missing(last + 1)
          last += head.count
          if (last > after) found.push({ ...head, offset: line.offset, bytes })
          const turn = yielding()
          if (turn !== undefined) await turn
        }
        if (found.length > 0) yield found
        if (last >= this.#through) return
      }
    if (last < this.#through) throw this.#missing(last + 1)
  }

  /** The entries after a position, as many at a time as are read in one go. */
  async *entries(after = 0): AsyncGenerator<readonly Entry[]> {
    const yielding = createYielding()
    for await (const lines of this.lines(after)) {
      const entries: Entry[] = []
      for (const { seq, count, bytes } of lines) {
        const { records, once } = await decodeFrame<StoredRecord>(bytes)
        entries.push(behind(after, this.#entry(seq, count, { records, ...(once !== undefined && { once }) })))
        const turn = yielding()
        if (turn !== undefined) await turn
      }
      yield entries
    }
  }

  async close(): Promise<void> {
    for (const file of this.#files) await file.close()
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

/** Entries of which nothing is left may have become one that begins before a head that was given out. */
function behind(after: number, entry: Entry): Entry {
  if (entry.position > after) return entry
  const records = entry.records.filter(({ seq }) => seq > after)
  return { ...entry, position: after + 1, count: lastPositionOf(entry) - after, records }
}

/** The position before the first frame of a journal, whose header was checked when the folder was opened. */
async function beginOf(journal: OpenFile): Promise<number> {
  const start = Buffer.alloc(LONGEST_HEADER)
  const line = start.subarray(0, await journal.read(start, 0))
  const end = line.indexOf('\n')
  const header = end > 0 && isIntact(line.subarray(0, end)) ? decodeLine(line.subarray(0, end)) : undefined
  return isLogHeader(header) ? header.after : 0
}

const LONGEST_HEADER = 4096
const COMMA = 0x2c

/** The frame in a line of either file; undefined for headers, footers and what is damaged. What is passed over is not checked. */
function frameIn({ bytes, ended }: Line, isPassedOver: boolean): Buffer | undefined {
  const frame = bytes.at(-1) === COMMA ? bytes.subarray(0, -1) : bytes
  return ended && (isPassedOver || isIntact(frame)) ? frame : undefined
}
