import type { StoredRecord } from '../../stored.js'
import { flushed, flushedFolder } from '../disk/durable.js'
import { Fatal } from '../disk/errors.js'
import type { OpenFile } from '../disk/files.js'
import { encodeHeaderBefore } from '../log/header.js'
import { Log } from '../log/log.js'
import { type GraphHome, journalPath } from './journal.js'

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

  async finish(lastSeq: number): Promise<Log<StoredRecord>> {
    const { files, fence, folder } = this.#home
    const path = journalPath(this.#home)
    await flushed(this.#to, this.#temporary)
    await files.rename(this.#temporary, path)
    await flushedFolder(files, folder)
    await this.#from.close()
    return new Log(files, fence, path, this.#to, this.#size, lastSeq)
  }

  async abandon(): Promise<void> {
    await this.#from.close().catch(() => undefined)
    await this.#to.close().catch(() => undefined)
    await this.#home.files.remove(this.#temporary).catch(() => undefined)
  }
}
