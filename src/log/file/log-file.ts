import { inSlices } from '../../loop/yielding.js'
import { flushFile } from './disk/durable.js'
import { Fatal } from './disk/errors.js'
import type { Files, Identity, OpenFile } from './disk/files.js'
import type { Fence } from './disk/lock.js'
import { encodeFrame, type Frame, type Group, paddingFor } from './frame.js'

/**
 * An append-only file of lines, each flushed before `append` resolves. After a failed write, the file is truncated to the
 * acknowledged lines before anything else is written.
 */
export class LogFile<R extends { readonly seq: number }> {
  readonly path: string
  readonly #file: OpenFile
  readonly #files: Files
  readonly #fence: Fence
  #size: number
  #lastSeq: number
  #dirty = false

  constructor(files: Files, fence: Fence, path: string, file: OpenFile, size: number, lastSeq: number) {
    this.#files = files
    this.#fence = fence
    this.path = path
    this.#file = file
    this.#size = size
    this.#lastSeq = lastSeq
  }

  get size(): number {
    return this.#size
  }

  /** Did a failed write leave bytes behind the last acknowledged line? */
  get isDirty(): boolean {
    return this.#dirty
  }

  get lastSeq(): number {
    return this.#lastSeq
  }

  /** Writes each group as one line, and flushes once for all of them. */
  async append(groups: readonly Group<R>[]): Promise<void> {
    const chunks = await inSlices(encodeGroups(groups, this.#lastSeq, this.#size))
    if (this.#dirty) await this.#cutBack()
    this.#refuseUnlessOurs(this.#size)
    try {
      for (const chunk of chunks) await this.#file.append(chunk)
    } catch (error) {
      this.#dirty = true
      await this.#cutBack().catch((worse: unknown) => {
        if (worse instanceof Fatal) throw worse
      })
      throw error
    }
    await flushFile(this.#file, this.path)
    const size = this.#size + lengthOf(chunks)
    this.#refuseUnlessOurs(size)
    this.#size = size
    for (const { count } of groups) this.#lastSeq += count
  }

  close(): Promise<void> {
    return this.#file.close()
  }

  /** Flushes right away, so that a later crash cannot mix the removed bytes with new ones. */
  async #cutBack(): Promise<void> {
    await this.#file.truncate(this.#size)
    await flushFile(this.#file, this.path)
    this.#dirty = false
  }

  #refuseUnlessOurs(size: number): void {
    this.#fence()
    const open = this.#file.identity()
    if (!isSameFile(open, this.#files.identify(this.path)) || open.size !== size)
      throw new Fatal(`${this.path} was changed by someone else.`)
  }
}

/** Encodes groups of records as lines, the last one padded (see `paddingFor`), in chunks. Yields after each record. */
export function* encodeGroups<R extends { readonly seq: number }>(
  groups: readonly Group<R>[],
  lastSeq: number,
  offset: number,
): Generator<void, readonly Buffer[]> {
  let seq = lastSeq + 1
  let end = offset
  const chunks: Buffer[] = []
  for (const [i, { count, records, once }] of groups.entries()) {
    const frame: Frame<R> = { seq, count, flushed: lastSeq, records, ...(once && { once }) }
    const isLast = i === groups.length - 1
    const line = yield* encodeFrame(frame, (length) => (isLast ? paddingFor(end + length) : 0))
    seq += count
    end += lengthOf(line)
    chunks.push(...line)
  }
  return lengthOf(chunks) < CHUNK ? [Buffer.concat(chunks)] : chunks
}

/** Shorter writes are concatenated into one buffer. */
const CHUNK = 1024 * 1024

export function lengthOf(chunks: readonly Buffer[]): number {
  return chunks.reduce((sum, { length }) => sum + length, 0)
}

function isSameFile(a: Identity, b: Identity | undefined): boolean {
  return b !== undefined && a.inode === b.inode && a.device === b.device
}
