import { Fatal } from '../disk/errors.js'
import type { Files, Identity, OpenFile } from '../disk/files.js'
import type { Fence } from '../disk/lock.js'
import { encodeLine, type Frame, type Group, paddingFor } from './frame.js'

/**
 * A file that only grows: whole lines, each on disk before `append` resolves. After a failed write the file is cut
 * back to what was acknowledged before anything else is written.
 */
export class Log<R extends { readonly seq: number }> {
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

  get lastSeq(): number {
    return this.#lastSeq
  }

  /** Each group becomes one line, and all lines share one flush. */
  async append(groups: readonly Group<R>[]): Promise<void> {
    const bytes = encodeGroups(groups, this.#lastSeq, this.#size)
    if (this.#dirty) await this.#cutBack()
    this.#refuseUnlessOurs(this.#size)
    try {
      await this.#file.append(bytes)
    } catch (error) {
      this.#dirty = true
      await this.#cutBack().catch((worse: unknown) => {
        if (worse instanceof Fatal) throw worse
      })
      throw error
    }
    await this.#flush()
    this.#refuseUnlessOurs(this.#size + bytes.length)
    this.#size += bytes.length
    for (const { records } of groups) this.#lastSeq += records.length
  }

  close(): Promise<void> {
    return this.#file.close()
  }

  /** Flushed at once, so that no later crash can mix what is cut off with what is written over it. */
  async #cutBack(): Promise<void> {
    await this.#file.truncate(this.#size)
    await this.#flush()
    this.#dirty = false
  }

  /** After a failed flush nobody knows what is on disk: the system may have dropped the pages and forgotten the error. */
  async #flush(): Promise<void> {
    try {
      await this.#file.datasync()
    } catch (error) {
      throw new Fatal(`Flushing ${this.path} failed.`, { cause: error })
    }
  }

  #refuseUnlessOurs(size: number): void {
    if (!this.#fence()) throw new Fatal('Another process has taken over the data folder.')
    const ours = this.#file.identity()
    if (!same(ours, this.#files.identify(this.path)) || ours.size !== size)
      throw new Fatal(`${this.path} was changed by someone else.`)
  }
}

/** The lines for groups of records, the last one padded (see `paddingFor`). */
export function encodeGroups<R extends { readonly seq: number }>(
  groups: readonly Group<R>[],
  flushed: number,
  offset: number,
): Buffer {
  let seq = flushed + 1
  const frames = groups.map(({ records, once }): Frame<R> => {
    const frame = { seq, count: records.length, flushed, records, ...(once !== undefined && { once }) }
    seq += records.length
    return frame
  })
  const lines = frames.map((frame) => encodeLine(frame))
  const last = frames.at(-1)
  const padding = paddingFor(offset + lines.reduce((sum, line) => sum + line.length, 0))
  if (last !== undefined && padding > 0) lines[lines.length - 1] = encodeLine(last, padding)
  return Buffer.concat(lines)
}

function same(a: Identity, b: Identity | undefined): boolean {
  return b !== undefined && a.inode === b.inode && a.device === b.device
}
