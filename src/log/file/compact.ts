import { flushed, flushedFolder } from './disk/durable.js'
import { Fatal } from './disk/errors.js'
import type { OpenFile } from './disk/files.js'
import { encodeHeaderBefore, headOf, isIntact } from './frame.js'
import { type GraphHome, type Journal, journalPath, snapshotOf } from './journal.js'
import { LogFile } from './log-file.js'
import { type LogLine, linesOf } from './scan.js'

/** A journal is compacted when it has outgrown the snapshot, so that all compactions together cost about as much as writing. */
export function isDue(journalSize: number, snapshotSize: number, least: number): boolean {
  return journalSize > Math.max(least, snapshotSize)
}

/**
 * Compacts the journal into a new snapshot while writes go on, and gives the journal that goes on from there.
 * At every step the files on disk add up to the same graph: first the snapshot comes to hold what the journal also
 * holds, then the journal is replaced by one without it. `exclusive` keeps the writers out for the last few bytes.
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
  const swapping = await JournalSwap.begin(home, from, lastSeq, size, size)
  try {
    await swapping.copyTo(journal.size)
    return await exclusive(async () => {
      await swapping.copyTo(journal.size)
      return swapping.finish(journal.lastSeq)
    })
  } catch (error) {
    await swapping.abandon()
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
      yield lines.flatMap(({ offset, bytes, ended }) => {
        if (!ended || !isIntact(bytes))
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
 * Replaces the journal by a new file that goes on from record `after`, keeping the bytes from `start` on. A
 * process that still has the old file open writes to a file without a name, which is never read.
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
   * `from` is the old journal, which is closed with this, and `end` where it ends now. What follows must lie in its
   * sectors as if it had been written there.
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

  /** Copies what the old journal holds up to `end`. */
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
    await flushed(this.#to, this.#temporary)
    await files.rename(this.#temporary, path)
    await flushedFolder(files, folder)
    await this.#from.close()
    return new LogFile(files, fence, path, this.#to, this.#size, lastSeq)
  }

  async abandon(): Promise<void> {
    await this.#from.close().catch(() => undefined)
    await this.#to.close().catch(() => undefined)
    await this.#home.files.remove(this.#temporary).catch(() => undefined)
  }
}
