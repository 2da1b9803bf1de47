import type { IncomingMessage } from 'node:http'
import type { AcceptBurst } from './accept-burst.js'
import { FairQueue } from './fair-queue.js'
import { LoopBudget } from './loop-budget.js'

/** More than a turn can serve, as a rule: what a piece of work costs is known only when the next immediate runs. */
const IMMEDIATES_PER_TURN = 16
/** How many pieces of streams are made at once. */
const MOST_PIECES = 2

/** By which requests have their turn, from the door on, where nobody knows yet whose they are: the secret as it came. */
export function keyOf({ headers }: IncomingMessage): string {
  return headers.authorization ?? ''
}

interface Waiting {
  readonly begin: () => void
  readonly since: number
}

/**
 * Lets work begin for `turnMs` in each turn of the event loop, so that a turn stays short however much there is to do, and
 * probes and new connections are seen to in between. What waits is taken from each key by turns: whoever asks for a lot
 * waits for it, and for nobody else.
 */
export class LoopTurns {
  readonly #turnMs: number
  readonly #burst: AcceptBurst
  readonly #budget = new LoopBudget()
  readonly #waiting = new FairQueue<Waiting>()
  readonly #streams = new FairQueue<() => void>()
  #armed = 0
  #pieces = 0

  constructor(turnMs: number, burst: AcceptBurst) {
    this.#turnMs = turnMs
    this.#burst = burst
  }

  /** Resolves when work for the key may begin; undefined when it may begin at once. */
  take(key: string): Promise<void> | undefined {
    if (this.#waiting.length === 0 && this.#mayBegin()) {
      this.#budget.begin()
      return undefined
    }
    return new Promise((begin) => {
      this.#waiting.push(key, { begin, since: performance.now() })
      if (this.#armed === 0) this.#arm()
    })
  }

  /** How long what is begun for the key now would wait, in milliseconds, and since when its first does. */
  expected(key: string): { readonly ms: number; readonly since: number | undefined } {
    const own = this.#waiting.of(key)
    return { ms: own.length * this.#waiting.keys * this.#budget.cost, since: own[0]?.since }
  }

  /** Makes the next piece of a stream: few at once, since each may take several turns, and there may be hundreds of streams. */
  async piece<T>(key: string, make: () => Promise<T>): Promise<T> {
    if (this.#pieces >= MOST_PIECES) await new Promise<void>((resolve) => this.#streams.push(key, resolve))
    else this.#pieces++
    try {
      await this.take(key)
      return await make()
    } finally {
      // Whoever waits takes the place over.
      const next = this.#streams.shift()
      if (next === undefined) this.#pieces--
      else next()
    }
  }

  #arm(): void {
    this.#armed = IMMEDIATES_PER_TURN
    for (let i = 0; i < IMMEDIATES_PER_TURN; i++) setImmediate(this.#serveNext)
  }

  readonly #serveNext = (): void => {
    this.#armed--
    if (this.#mayBegin()) {
      this.#budget.begin()
      this.#waiting.shift()?.begin()
    }
    if (this.#armed === 0 && this.#waiting.length > 0) this.#arm()
  }

  #mayBegin(): boolean {
    return this.#budget.spent() <= this.#turnMs && !this.#burst.isOn()
  }
}
