import { Pace } from './pace.js'

/** How long who comes now would wait, in milliseconds, and since when the first of the same key does, if any. */
export interface Expected {
  readonly ms: number
  readonly since: number
}

export const NO_WAIT: Expected = { ms: 0, since: Number.POSITIVE_INFINITY }

interface Waiting {
  readonly begin: () => void
  readonly since: number
}

/** Who waits, by key: each key has its turn, and within a key who came first. */
export class FairQueue {
  readonly #waiting = new Map<string, Waiting[]>()
  readonly #pace = new Pace()
  #length = 0

  get length(): number {
    return this.#length
  }

  lengthOf(key: string): number {
    return this.#waiting.get(key)?.length ?? 0
  }

  expected(key: string): Expected {
    const own = this.#waiting.get(key)
    if (own?.[0] === undefined) return NO_WAIT
    return { ms: own.length * this.#waiting.size * this.#pace.ms, since: own[0].since }
  }

  /** Resolves when it is the turn of who waits. */
  wait(key: string): Promise<void> {
    return new Promise((begin) => {
      if (this.#length++ === 0) this.#pace.start()
      const own = this.#waiting.get(key)
      const waiting = { begin, since: performance.now() }
      if (own === undefined) this.#waiting.set(key, [waiting])
      else own.push(waiting)
    })
  }

  /** Lets the next begin whose key may; false when there is none. */
  next(may: (key: string) => boolean = () => true): boolean {
    for (const [key, own] of this.#waiting) {
      if (!may(key)) continue
      const first = own.shift()
      // The key goes behind the others.
      this.#waiting.delete(key)
      if (own.length > 0) this.#waiting.set(key, own)
      this.#length--
      this.#pace.next()
      first?.begin()
      return true
    }
    return false
  }
}
