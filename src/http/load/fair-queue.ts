import { listOf } from '../../domain/groups.js'

/**
 * The estimated wait of a new entry in milliseconds, and the time when the oldest one of its key was added.
 */
export interface Expected {
  readonly ms: number
  readonly since: number
}

export const NO_WAIT: Expected = { ms: 0, since: Number.POSITIVE_INFINITY }

interface Waiting {
  readonly begin: () => void
  readonly since: number
}

/** A queue that serves its keys round robin, and the entries of each key in order of arrival. */
export class FairQueue {
  readonly #waiting = new Map<string, Waiting[]>()
  readonly #interval = new AverageInterval()
  #length = 0

  get length(): number {
    return this.#length
  }

  lengthOf(key: string): number {
    return this.#waiting.get(key)?.length ?? 0
  }

  expected(key: string): Expected {
    const queue = this.#waiting.get(key)
    if (queue?.[0] === undefined) return NO_WAIT
    return { ms: queue.length * this.#waiting.size * this.#interval.ms, since: queue[0].since }
  }

  /** Adds an entry for the key. Resolves when it may start. */
  wait(key: string): Promise<void> {
    return new Promise((begin) => {
      if (this.#length++ === 0) this.#interval.start()
      listOf(this.#waiting, key).push({ begin, since: performance.now() })
    })
  }

  /** Starts the next entry whose key passes `mayBegin`; false when there is none. */
  next(mayBegin: (key: string) => boolean = () => true): boolean {
    for (const [key, queue] of this.#waiting) {
      if (!mayBegin(key)) continue
      const first = queue.shift()
      // Moves the key behind the others.
      this.#waiting.delete(key)
      if (queue.length > 0) this.#waiting.set(key, queue)
      this.#length--
      this.#interval.next()
      first?.begin()
      return true
    }
    return false
  }
}

/** Weight of the newest interval in the moving average, which follows a change of load in about 30 intervals. */
const WEIGHT = 0.03
/** Longer intervals have other causes, such as garbage collection or a suspended machine. */
const MAX_INTERVAL_MS = 100

/** The average time between two starts, in milliseconds. Time spent on other work counts too. */
class AverageInterval {
  ms = 0
  #last = 0

  /** To be called when the queue stops being empty. */
  start(): void {
    this.#last = performance.now()
  }

  /** To be called at each start. */
  next(): void {
    const now = performance.now()
    this.ms += WEIGHT * (Math.min(now - this.#last, MAX_INTERVAL_MS) - this.ms)
    this.#last = now
  }
}
