import { contentOf } from '../domain/events/same-event.js'
import type { MemoryId } from '../domain/model.js'
import { textOf } from '../domain/text.js'
import type { TextCache } from '../domain/text-cache.js'
import { inSlices } from '../loop/yielding.js'
import type { Memories } from './memories.js'
import type { MemoryRow } from './rows.js'
import { DuplicateIndex } from './search/duplicate-index.js'
import { type SavedTerms, TermIndex } from './search/term-index.js'
import { statementIn } from './views.js'

/** Thrown to a question that needs the word index while it is far behind. The store asks it again later. */
export class IndexBehind extends Error {}

/** Both indexes as they are saved. Derived data, which may be missing, damaged or out of date. */
export interface SavedIndexes {
  /** The indexes cover the first `count` memories. */
  readonly count: number
  /** The id of the last memory they cover. */
  readonly lastId: MemoryId
  readonly seed: number
  readonly hashes: Uint32Array
  readonly terms: SavedTerms
}

/** A question indexes at most this many characters itself, in one turn of the event loop. */
const MAX_BEHIND = 65_536

/**
 * The indexes of the memories of a graph: their words, for searches, and hashes of their contents, to detect duplicates. Both
 * are updated lazily and in slices, since reading and exporting need neither.
 */
export class Indexes {
  readonly terms: TermIndex
  readonly contents: DuplicateIndex
  /** How many memories the saved indexes cover. */
  savedCount = 0
  readonly #rows: Memories
  /** How many characters of payloads are not indexed. */
  #behind = 0
  #restore: (() => Promise<SavedIndexes | undefined>) | undefined
  #restoring: Promise<void> | undefined
  #catchingUp: Promise<void> | undefined
  #isStopped = false

  /** `seed` must be unknown to callers (see `DuplicateIndex`). */
  constructor(rows: Memories, seed: number, texts: TextCache) {
    this.#rows = rows
    this.terms = new TermIndex(seed, texts)
    this.contents = new DuplicateIndex(seed)
  }

  /** Sets how to read the saved indexes, which happens when they are first needed. Call it once all records are applied. */
  restoreFrom(read: () => Promise<SavedIndexes | undefined>): void {
    this.#restore = read
  }

  /** Notes a new memory; `hash` is the hash of its content, if it was computed already. */
  add({ number, payload }: MemoryRow, hash: number | undefined): void {
    this.#behind += payload.length
    if (hash !== undefined && this.contents.count === number) this.contents.add(hash)
  }

  /** How many characters of payloads are not indexed. */
  get behind(): number {
    return this.#behind
  }

  /** The word index of all memories. Indexes the last few now; throws `IndexBehind` if there are too many. */
  ready(): TermIndex {
    if (this.#behind > MAX_BEHIND || this.#restoring !== undefined) throw new IndexBehind()
    for (const _ of this.#indexAll());
    return this.terms
  }

  /** Resolves when all memories can be searched, or after `stop`. */
  caughtUp(): Promise<void> {
    this.#catchingUp ??= this.#catchUp().finally(() => {
      this.#catchingUp = undefined
    })
    return this.#catchingUp
  }

  /** Resolves when the contents of all memories are hashed. */
  async hashContents(): Promise<void> {
    if (this.contents.count === this.#rows.list.length) return
    await this.#restoreOnce()
    await inSlices(this.#hashAll())
  }

  /** Ends indexing: the graph was closed, or replaced by another object. */
  stop(): void {
    this.#isStopped = true
  }

  /** The indexes as they are now, computed in slices; undefined while contents are not hashed. */
  async save(): Promise<SavedIndexes | undefined> {
    const { count } = this.terms
    const last = this.#rows.list[count - 1]
    if (last === undefined || this.contents.count < count) return undefined
    // Taken first, and at once: the index may grow while the rest is collected.
    const terms = await inSlices(this.terms.save())
    const hashes = await inSlices(this.contents.hashes(count))
    return { count, lastId: last.id, seed: this.contents.seed, hashes, terms }
  }

  async #catchUp(): Promise<void> {
    await this.#restoreOnce()
    await inSlices(this.#indexAndSettle())
  }

  /** Reads the saved indexes, once. */
  #restoreOnce(): Promise<void> {
    const restore = this.#restore
    this.#restore = undefined
    if (restore !== undefined)
      this.#restoring = this.#restoreFrom(restore).finally(() => {
        this.#restoring = undefined
      })
    return this.#restoring ?? Promise.resolve()
  }

  async #restoreFrom(read: () => Promise<SavedIndexes | undefined>): Promise<void> {
    const saved = await read()
    if (saved === undefined || this.#rows.list[saved.count - 1]?.id !== saved.lastId) return
    this.savedCount = saved.count
    if (this.contents.count === 0) await inSlices(this.contents.restore(saved.seed, saved.hashes))
    if (this.terms.count > 0) return
    await inSlices(this.terms.restore(saved.terms))
    for (const { payload } of this.#rows.list.slice(0, saved.count)) this.#behind -= payload.length
  }

  *#indexAndSettle(): Generator<void> {
    for (const _ of this.#indexAll()) {
      if (this.#isStopped) return
      yield
      yield* this.terms.settle()
    }
    yield* this.terms.settle()
  }

  /** Works in small steps; several may run interleaved. */
  *#indexAll(): Generator<void> {
    for (;;) {
      const number = this.terms.count
      const row = this.#rows.list[number]
      if (row === undefined) return
      const terms = yield* this.terms.read([
        textOf(statementIn(row).payload),
        row.context.name,
        row.context.type,
      ])
      // Another run may have added this document.
      if (this.terms.count !== number) continue
      this.terms.add(terms)
      this.#behind -= row.payload.length
      yield
    }
  }

  *#hashAll(): Generator<void> {
    for (;;) {
      const row = this.#rows.list[this.contents.count]
      if (row === undefined) return
      this.contents.add(this.contents.hash(contentOf(statementIn(row)).key))
      yield
    }
  }
}
