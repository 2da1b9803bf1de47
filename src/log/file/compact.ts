import { flushFile, flushFolder } from './disk/durable.js'
import { Fatal } from './disk/errors.js'
import type { OpenFile } from './disk/files.js'
import { encodeHeaderBefore, headOf, isIntact } from './frame.js'
import { type GraphHome, type Journal, journalPath, snapshotOf } from './journal.js'
import { LogFile } from './log-file.js'
import { type LogLine, linesOf } from './scan.js'

/** A journal is compacted once it is larger than the snapshot, so that all compactions cost about as much as the writes. */
export function isDue(journalSize: number, snapshotSize: number, minSize: number): boolean {
  return journalSize > Math.max(minSize, snapshotSize)
}

/**
 * Compacts the journal into a new snapshot while writes go on, and returns the new, shorter journal. At every step the files
 * on disk add up to the same graph: first the snapshot gets the records of the journal, then the journal is replaced by one
 * without them. `exclusive` blocks writers while the last bytes are copied.
 */
export async function compact(
  home: GraphHome,
  journal: Journal,
  exclusive: (swap: () => Promise<Journal>) => Promise<Journal>,
): Promise<Journal> {
  const { size, lastSeq } = journal
  const low = snapshotOf(home)
  await low.read()
  const before = low.data
  low.data = {
    format: before.format,
    graph: home.graph,
    through: lastSeq,
    async *lines() {
      yield* before.lines()
      yield* journalLines(home, size, before.through)
    },
  }
  await low.write()
  const from = await home.files.openToRead(journalPath(home))
  const journalSwap = await JournalSwap.begin(home, from, lastSeq, size, size)
  try {
    await journalSwap.copyTo(journal.size)
    return await exclusive(async () => {
      await journalSwap.copyTo(journal.size)
      return journalSwap.finish(journal.lastSeq)
    })
  } catch (error) {
    await journalSwap.abandon()
    throw error
  }
}

/** The lines of the journal up to `size` that come after record `through`. */
async function* journalLines(
  home: GraphHome,
  size: number,
  through: number,
): AsyncGenerator<readonly LogLine[]> {
  const path = journalPath(home)
  const file = await home.files.openToRead(path)
  try {
    for await (const lines of linesOf(file, 0, size))
      yield lines.flatMap(({ offset, bytes, isEnded }) => {
        if (!isEnded || !isIntact(bytes))
          throw new Fatal(`${path} is damaged at byte ${offset}, where it was not before.`)
        const head = headOf(bytes)
        return head === undefined || head.seq <= through ? [] : [{ ...head, offset, bytes }]
      })
  } finally {
    await file.close()
  }
}

const COPY_CHUNK = 1024 * 1024

/**
 * Replaces the journal by a new file with the records behind position `after`. A process that still has the old file open
 * writes to an unlinked file, which is never read.
 */
export class JournalSwap {
  readonly #home: GraphHome
  readonly #temporary: string
  readonly #from: OpenFile
  readonly #to: OpenFile
  #position: number
  #size: number

  private constructor(home: GraphHome, from: OpenFile, to: OpenFile, position: number, size: number) {
    this.#home = home
    this.#temporary = `${journalPath(home)}.tmp`
    this.#from = from
    this.#to = to
    this.#position = position
    this.#size = size
  }

  /**
   * `from` is the old journal, which the swap closes. Its bytes from `start` on are to be copied, and `end` is its current
   * length. The header is padded so that copied lines keep their offsets within sectors.
   */
  static async begin(
    home: GraphHome,
    from: OpenFile,
    after: number,
    start: number,
    end: number,
  ): Promise<JournalSwap> {
    const path = journalPath(home)
    try {
      await home.files.remove(`${path}.tmp`)
      const to = await home.files.openToAppend(`${path}.tmp`, true)
      const header = encodeHeaderBefore(`graph ${home.graph}`, after, start, end)
      const swap = new JournalSwap(home, from, to, start, header.length)
      await to.append(header).catch((error: unknown) => swap.abandon().then(() => Promise.reject(error)))
      return swap
    } catch (error) {
      await from.close().catch(() => undefined)
      throw error
    }
  }

  /** Copies the bytes of the old journal up to `end`. */
  async copyTo(end: number): Promise<void> {
    const buffer = Buffer.allocUnsafe(COPY_CHUNK)
    while (this.#position < end) {
      const wanted = buffer.subarray(0, Math.min(COPY_CHUNK, end - this.#position))
      const chunk = wanted.subarray(0, await this.#from.read(wanted, this.#position))
      if (chunk.length === 0) throw new Fatal(`${journalPath(this.#home)} is shorter than it was.`)
      await this.#to.append(chunk)
      this.#position += chunk.length
      this.#size += chunk.length
    }
  }

  async finish(lastSeq: number): Promise<Journal> {
    const { files, fence, folder } = this.#home
    const path = journalPath(this.#home)
    await flushFile(this.#to, this.#temporary)
    await files.rename(this.#temporary, path)
    await flushFolder(files, folder)
    await this.#from.close()
    return new LogFile(files, fence, path, this.#to, this.#size, lastSeq)
  }

  async abandon(): Promise<void> {
    await this.#from.close().catch(() => undefined)
    await this.#to.close().catch(() => undefined)
    await this.#home.files.remove(this.#temporary).catch(() => undefined)
  }
}
