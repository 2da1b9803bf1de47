import { inSlices } from '../../loop/yielding.js'
import { flushed } from './disk/durable.js'
import { Fatal } from './disk/errors.js'
import type { Files, Identity, OpenFile } from './disk/files.js'
import type { Fence } from './disk/lock.js'
import { encodeFrame, type Frame, type Group, paddingFor } from './frame.js'

/**
 * A file that only grows: whole lines, each on disk before `append` resolves. After a failed write the file is cut
 * back to what was acknowledged before anything else is written.
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

  /** Is there something behind its end that a failed write left? */
  get isDirty(): boolean {
    return this.#dirty
  }

  get lastSeq(): number {
    return this.#lastSeq
  }

  /** Each group becomes one line, and all lines share one flush. */
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
    await flushed(this.#file, this.path)
    const size = this.#size + lengthOf(chunks)
    this.#refuseUnlessOurs(size)
    this.#size = size
    for (const { count } of groups) this.#lastSeq += count
  }

  close(): Promise<void> {
    return this.#file.close()
  }

  /** Flushed at once, so that no later crash can mix what is cut off with what is written over it. */
  async #cutBack(): Promise<void> {
    await this.#file.truncate(this.#size)
    await flushed(this.#file, this.path)
    this.#dirty = false
  }

  #refuseUnlessOurs(size: number): void {
    this.#fence()
    const ours = this.#file.identity()
    if (!same(ours, this.#files.identify(this.path)) || ours.size !== size)
      throw new Fatal(`${this.path} was changed by someone else.`)
  }
}

/** The lines for groups of records, the last one padded (see `paddingFor`), in chunks; made a record at a time. */
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

/** What is shorter is written at once. */
const CHUNK = 1024 * 1024

export function lengthOf(chunks: readonly Buffer[]): number {
  return chunks.reduce((sum, { length }) => sum + length, 0)
}

function same(a: Identity, b: Identity | undefined): boolean {
  return b !== undefined && a.inode === b.inode && a.device === b.device
}
