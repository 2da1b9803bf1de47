import { stillRunning } from '../domain/failure.js'
import type { NewMemory, Receipt } from '../domain/model.js'
import type { EventPath, Idempotency } from '../store/store.js'

/** Events that are recorded atomically. */
export interface Append {
  readonly events: readonly NewMemory[]
  readonly at: EventPath
  readonly once: Idempotency | undefined
}

export type Outcome = { readonly receipts: readonly Receipt[] } | { readonly error: unknown }

/** An append in the queue. */
interface Waiting extends Append {
  readonly resolve: (receipts: readonly Receipt[]) => void
  readonly reject: (error: unknown) => void
}

/** Work that runs while no append is in progress. */
type Exclusive = () => Promise<void>

/** The maximum number of events in a commit: with more, waiting costs more than committing twice. */
const MAX_EVENTS = 1000

/**
 * Serializes the writes to one graph. All appends in the queue share the next commit, and so one flush or one transaction;
 * appends that arrive during a commit share the one after it.
 */
export class GroupCommit {
  readonly #commit: (appends: readonly Append[]) => Promise<readonly Outcome[]>
  readonly #queue: (Waiting | Exclusive)[] = []
  /** The Idempotency-Keys of the appends in progress. */
  readonly #keys = new Set<string>()
  #working: Promise<void> | undefined

  /** `commit` makes the appends durable, in order, and returns the outcome of each; if it rejects, all of them reject. */
  constructor(commit: (appends: readonly Append[]) => Promise<readonly Outcome[]>) {
    this.#commit = commit
  }

  get idle(): boolean {
    return this.#working === undefined
  }

  async append(events: readonly NewMemory[], at: EventPath, once?: Idempotency): Promise<readonly Receipt[]> {
    if (events.length === 0) return []
    const key = once?.key
    if (key === undefined) return this.#wait({ events, at, once })
    if (this.#keys.has(key)) throw stillRunning()
    this.#keys.add(key)
    return this.#wait({ events, at, once }).finally(() => this.#keys.delete(key))
  }

  /** Runs `work` between two commits. */
  exclusive<T>(work: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => this.#enqueue(() => work().then(resolve, reject)))
  }

  /** Resolves when the queue is empty. */
  async waitUntilIdle(): Promise<void> {
    await this.#working
  }

  #wait(append: Append): Promise<readonly Receipt[]> {
    return new Promise((resolve, reject) => this.#enqueue({ ...append, resolve, reject }))
  }

  #enqueue(next: Waiting | Exclusive): void {
    this.#queue.push(next)
    this.#working ??= this.#work()
  }

  async #work(): Promise<void> {
    // Appends of the same turn of the event loop share the first commit.
    await Promise.resolve()
    for (let next = this.#queue[0]; next !== undefined; next = this.#queue[0]) {
      if (typeof next === 'function') {
        this.#queue.shift()
        await next()
      } else await this.#commitTogether(this.#takeAppends())
    }
    this.#working = undefined
  }

  /** Takes the appends at the head of the queue, with at most `MAX_EVENTS` events, but at least one. */
  #takeAppends(): Waiting[] {
    const taken: Waiting[] = []
    let events = 0
    for (const next of this.#queue) {
      if (typeof next === 'function') break
      events += next.events.length
      if (taken.length > 0 && events > MAX_EVENTS) break
      taken.push(next)
    }
    this.#queue.splice(0, taken.length)
    return taken
  }

  async #commitTogether(appends: readonly Waiting[]): Promise<void> {
    try {
      const outcomes = await this.#commit(appends)
      for (const [i, { resolve, reject }] of appends.entries()) {
        const outcome = outcomes[i] ?? { error: new Error('A commit gave no outcome for an append.') }
        if ('receipts' in outcome) resolve(outcome.receipts)
        else reject(outcome.error)
      }
    } catch (error) {
      for (const { reject } of appends) reject(error)
    }
  }
}
