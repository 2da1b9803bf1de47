import { contentOf } from '../domain/events/same-event.js'
import type { MemoryId } from '../domain/model.js'
import { textOf } from '../domain/text.js'
import type { TextCache } from '../domain/text-cache.js'
import { inSlices } from '../loop/yielding.js'
import type { Memories } from './memories.js'
import type { MemoryRow } from './rows.js'
import { DuplicateIndex } from './search/duplicate-index.js'
import { type KeptTerms, TermIndex } from './search/term-index.js'
import { saidBy } from './views.js'

/** Thrown to a question that asks for words while many memories are not indexed: it is asked again once they are. */
export class IndexBehind extends Error {}

/** Both indexes as they are kept: derived, so that they may be missing, damaged or out of date. */
export interface KeptIndexes {
  /** How many memories are in, the first ones. */
  readonly count: number
  /** The id of the last one that is. */
  readonly lastId: MemoryId
  readonly seed: number
  readonly hashes: Uint32Array
  readonly terms: KeptTerms
}

/** A question waits for no more than so many characters to be indexed in its own turn of the event loop. */
const MOST_BEHIND = 65_536

/**
 * What is worked out from the memories of a graph to find them again: their words, for searches, and hashes of what they
 * say, for telling duplicates. Both follow the memories in slices, since neither is needed to read or to export them.
 */
export class Indexes {
  readonly terms: TermIndex
  readonly contents: DuplicateIndex
  /** How many memories are in what is kept on disk. */
  keptCount = 0
  readonly #rows: Memories
  /** How many characters of payloads are not indexed. */
  #behind = 0
  #restore: (() => Promise<KeptIndexes | undefined>) | undefined
  #restoring: Promise<void> | undefined
  #catchingUp: Promise<void> | undefined
  #isStopped = false

  /** `seed` is any number that no caller knows. */
  constructor(rows: Memories, seed: number, texts: TextCache) {
    this.#rows = rows
    this.terms = new TermIndex(seed, texts)
    this.contents = new DuplicateIndex(seed)
  }

  /** Says where the indexes are kept, once all records are applied; they are read when they are first needed. */
  keptBy(read: () => Promise<KeptIndexes | undefined>): void {
    this.#restore = read
  }

  /** Takes note of a new memory; `hash` is that of its content, if it was made already. */
  add({ number, payload }: MemoryRow, hash: number | undefined): void {
    this.#behind += payload.length
    if (hash !== undefined && this.contents.count === number) this.contents.add(hash)
  }

  /** How many characters of payloads are not indexed. */
  get behind(): number {
    return this.#behind
  }

  /** The words of all memories, for a question; the last few are indexed on the spot. */
  ready(): TermIndex {
    if (this.#behind > MOST_BEHIND || this.#restoring !== undefined) throw new IndexBehind()
    for (const _ of this.#indexAll());
    return this.terms
  }

  /** Resolves when all memories can be searched, or when this was stopped. */
  caughtUp(): Promise<void> {
    this.#catchingUp ??= this.#catchUp().finally(() => {
      this.#catchingUp = undefined
    })
    return this.#catchingUp
  }

  /** Resolves when duplicates of all memories are known. */
  async knowsContents(): Promise<void> {
    if (this.contents.count === this.#rows.list.length) return
    await this.#restored()
    await inSlices(this.#hashAll())
  }

  /** Ends what is under way: the graph is another one by now, or closed. */
  stop(): void {
    this.#isStopped = true
  }

  /** What is in now, to be kept, worked out in slices; undefined when duplicates are not known. */
  async kept(): Promise<KeptIndexes | undefined> {
    const { count } = this.terms
    const last = this.#rows.list[count - 1]
    if (last === undefined || this.contents.count < count) return undefined
    const { seed, hashes } = this.contents
    const before = { count, lastId: last.id, seed, hashes: hashes.first(count) }
    return { ...before, terms: await inSlices(this.terms.kept()) }
  }

  async #catchUp(): Promise<void> {
    await this.#restored()
    await inSlices(this.#indexAndSettle())
  }

  /** Reads what was kept, once, unless it is too late for that. */
  #restored(): Promise<void> {
    const restore = this.#restore
    this.#restore = undefined
    if (restore !== undefined)
      this.#restoring = this.#restoreFrom(restore).finally(() => {
        this.#restoring = undefined
      })
    return this.#restoring ?? Promise.resolve()
  }

  async #restoreFrom(read: () => Promise<KeptIndexes | undefined>): Promise<void> {
    const kept = await read()
    if (kept === undefined || this.#rows.list[kept.count - 1]?.id !== kept.lastId) return
    this.keptCount = kept.count
    if (this.contents.count === 0) await inSlices(this.contents.restore(kept.seed, kept.hashes))
    if (this.terms.count > 0) return
    await inSlices(this.terms.restore(kept.terms))
    for (const { payload } of this.#rows.list.slice(0, kept.count)) this.#behind -= payload.length
  }

  *#indexAndSettle(): Generator<void> {
    for (const _ of this.#indexAll()) {
      if (this.#isStopped) return
      yield
      yield* this.terms.settle()
    }
    yield* this.terms.settle()
  }

  /** In small steps, which may be mixed with those of another one. */
  *#indexAll(): Generator<void> {
    for (;;) {
      const number = this.terms.count
      const row = this.#rows.list[number]
      if (row === undefined) return
      const terms = yield* this.terms.read([textOf(saidBy(row).payload), row.context.name, row.context.type])
      // Another one may have been quicker.
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
      this.contents.add(this.contents.hash(contentOf(saidBy(row)).key))
      yield
    }
  }
}
