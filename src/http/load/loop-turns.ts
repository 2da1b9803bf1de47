import type { AcceptBurst } from '../../loop/accept-burst.js'
import { type Expected, FairQueue } from './fair-queue.js'
import { LoopBudget } from './loop-budget.js'

/** How long a turn may serve: far below what a probe would notice. */
const TURN_MS = 5
/** More than a turn can serve, as a rule: what a piece of work costs is known only when the next immediate runs. */
const IMMEDIATES_PER_TURN = 16

/** What those who share a key may do of each burst of connections: most of it is for accepting them. */
const BURST_MS_OF_SHARED = 10

/**
 * Lets work begin for `TURN_MS` in each turn of the event loop, so that a turn stays short however much there is to do, and
 * probes and new connections are seen to in between. What waits is taken from each key by turns: whoever asks for a lot
 * waits for it, and for nobody else.
 */
export class LoopTurns {
  readonly #burst: AcceptBurst
  readonly #shared: string | undefined
  readonly #budget = new LoopBudget()
  readonly #queue = new FairQueue()
  #armed = 0
  /** False for the rest of a turn in which none of those who wait may begin. */
  #isServing = true

  /** Work by the key `shared` is part of what others have begun. */
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

  /** Resolves when work for the key may begin; undefined when it may begin at once. */
  take(key: string): Promise<void> | undefined {
    if (this.#queue.length === 0 && this.#hasTime() && this.#mayBegin(key)) {
      this.#budget.begin()
      return undefined
    }
    const turn = this.#queue.wait(key)
    if (this.#armed === 0) this.#arm()
    return turn
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
    this.#burst.tryBegin(key, key === this.#shared ? BURST_MS_OF_SHARED : undefined)

  #hasTime(): boolean {
    return this.#budget.spent() <= TURN_MS
  }
}
