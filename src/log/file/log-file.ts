import { inSlices } from '../../loop/yielding.js'
import { flushFile } from './disk/durable.js'
import { Fatal } from './disk/errors.js'
import type { Files, OpenFile } from './disk/files.js'
import { encodeFrame, type Frame, type Group, paddingFor } from './frame.js'

/**
 * An append-only file of lines, each flushed before `append` resolves. It is opened with the first append. After a failed write,
 * the file is truncated to the acknowledged lines before anything else is written.
 */
export class LogFile<R> {
  readonly path: string
  readonly #files: Files
  #file: OpenFile | undefined
  #size: number
  #lastSeq: number
  /** Did a failed write leave bytes behind the last acknowledged line? */
  #isDirty = false

  /** `size` is the length of the file up to the end of its last acknowledged line. */
  constructor(files: Files, path: string, size: number, lastSeq: number) {
    this.#files = files
    this.path = path
    this.#size = size
    this.#lastSeq = lastSeq
  }

  get size(): number {
    return this.#size
  }

  get lastSeq(): number {
    return this.#lastSeq
  }

  /** Writes each group as one line, and flushes once for all of them. */
  async append(groups: readonly Group<R>[]): Promise<void> {
    const lines = await inSlices(encodeGroups(groups, this.#lastSeq, this.#size))
    if (this.#isDirty) await this.cutBack()
    const file = await this.#open()
    this.#refuseUnlessOurs(file, this.#size)
    try {
      await file.append(lines)
    } catch (error) {
      this.#isDirty = true
      await this.cutBack().catch((worse: unknown) => {
        if (worse instanceof Fatal) throw worse
      })
      throw error
    }
    await flushFile(file, this.path)
    const size = this.#size + lines.length
    this.#refuseUnlessOurs(file, size)
    this.#size = size
    for (const { count } of groups) this.#lastSeq += count
  }

  /** Truncates the file to its acknowledged lines. Flushes, so that a later crash cannot mix the removed bytes with new ones. */
  async cutBack(): Promise<void> {
    const file = await this.#open()
    await file.truncate(this.#size)
    await flushFile(file, this.path)
    this.#isDirty = false
  }

  /** The next append opens the file again. */
  async close(): Promise<void> {
    const file = this.#file
    this.#file = undefined
    await file?.close()
  }

  async #open(): Promise<OpenFile> {
    this.#file ??= await this.#files.openToAppend(this.path, false)
    return this.#file
  }

  #refuseUnlessOurs(file: OpenFile, size: number): void {
    const open = file.identity()
    const named = this.#files.identify(this.path)
    if (open.inode !== named?.inode || open.device !== named.device || open.size !== size)
      throw new Fatal(`${this.path} was changed by someone else.`)
  }
}

/** Encodes groups of records as lines, the last one padded (see `paddingFor`). Yields after each record. */
export function* encodeGroups<R>(
  groups: readonly Group<R>[],
  lastSeq: number,
  offset: number,
): Generator<void, Buffer> {
  const lines: Buffer[] = []
  let seq = lastSeq + 1
  let end = offset
  for (const [i, { count, records, once }] of groups.entries()) {
    const frame: Frame<R> = { seq, count, flushed: lastSeq, records, ...(once && { once }) }
    const isLast = i === groups.length - 1
    const line = yield* encodeFrame(frame, (length) => (isLast ? paddingFor(end + length) : 0))
    seq += count
    end += line.length
    lines.push(line)
  }
  return Buffer.concat(lines)
}
