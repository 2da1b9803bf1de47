import type { AcceptBurst } from '../../loop/accept-burst.js'
import { type Expected, FairQueue } from './fair-queue.js'

/** Time in which a turn of the event loop may start work: short enough that probes do not notice. */
const TURN_MS = 5
/** Each starts one task, since the cost of a task is known only after it. Usually enough for `TURN_MS`. */
const IMMEDIATES_PER_TURN = 16

/** Time for work of the shared key during a burst of connections; the rest is for accepting them. */
const SHARED_BURST_MS = 10

/**
 * Starts work for at most `TURN_MS` in each turn of the event loop, to leave time for probes and new
 * connections. The rest waits in a fair queue, so that a key with many requests delays only itself.
 */
export class LoopQueue {
  readonly #burst: AcceptBurst
  readonly #shared: string | undefined
  readonly #budget = new LoopBudget()
  readonly #queue = new FairQueue()
  #armed = 0
  /** False for the rest of a turn in which no queued work may start. */
  #isServing = true

  /** `shared` is the key of work that belongs to requests of several keys. */
  constructor(burst: AcceptBurst, shared?: string) {
    this.#burst = burst
    this.#shared = shared
  }

  get waiting(): number {
    return this.#queue.length
  }

  waitingOf(key: string): number {
    return this.#queue.lengthOf(key)
  }

  expected(key: string): Expected {
    return this.#queue.expected(key)
  }

  /** Resolves when work of the key may start; undefined when it may at once. */
  enter(key: string): Promise<void> | undefined {
    if (this.#queue.length === 0 && this.#hasTime() && this.#mayBegin(key)) {
      this.#budget.begin()
      return undefined
    }
    const started = this.#queue.wait(key)
    if (this.#armed === 0) this.#arm()
    return started
  }

  #arm(): void {
    this.#armed = IMMEDIATES_PER_TURN
    this.#isServing = true
    for (let i = 0; i < IMMEDIATES_PER_TURN; i++) setImmediate(this.#serveNext)
  }

  readonly #serveNext = (): void => {
    this.#armed--
    if (this.#isServing && this.#hasTime()) {
      this.#budget.begin()
      this.#isServing = this.#queue.next(this.#mayBegin)
    }
    if (this.#armed === 0 && this.#queue.length > 0) this.#arm()
  }

  readonly #mayBegin = (key: string): boolean =>
    this.#burst.tryBegin(key, key === this.#shared ? SHARED_BURST_MS : undefined)

  #hasTime(): boolean {
    return this.#budget.spent() <= TURN_MS
  }
}

/** Measures the time since the first call of `begin` in the current turn of the event loop. */
class LoopBudget {
  #started: number | undefined

  begin(): void {
    if (this.#started !== undefined) return
    this.#started = performance.now()
    setImmediate(() => {
      this.#started = undefined
    })
  }

  spent(): number {
    return this.#started === undefined ? 0 : performance.now() - this.#started
  }
}
