import { type Expected, FairQueue, NO_WAIT } from './fair-queue.js'

interface Lane {
  readonly queue: FairQueue
  underWay: number
}

/**
 * Each key may have so many pieces of work under way at once, and the rest of what it asks for waits: work that was begun
 * can no longer be put behind that of others.
 */
export class FewAtOnce {
  readonly #most: number
  readonly #lanes = new Map<string, Lane>()
  #waiting = 0

  constructor(most: number) {
    this.#most = most
  }

  get waiting(): number {
    return this.#waiting
  }

  waitingOf(key: string): number {
    return this.#lanes.get(key)?.queue.length ?? 0
  }

  expected(key: string): Expected {
    return this.#lanes.get(key)?.queue.expected(key) ?? NO_WAIT
  }

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const lane = this.#lanes.get(key) ?? { queue: new FairQueue(), underWay: 0 }
    this.#lanes.set(key, lane)
    if (lane.underWay < this.#most) lane.underWay++
    else {
      this.#waiting++
      await lane.queue.wait(key)
      this.#waiting--
    }
    try {
      return await work()
    } finally {
      // Whoever waits takes the place over.
      if (!lane.queue.next() && --lane.underWay === 0) this.#lanes.delete(key)
    }
  }
}
