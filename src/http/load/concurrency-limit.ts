import { type Expected, FairQueue, NO_WAIT } from './fair-queue.js'

interface Lane {
  readonly queue: FairQueue
  running: number
}

/**
 * Runs at most `limit` tasks of each key at once. The rest wait in order: a task that has started cannot be
 * moved behind the tasks of other keys.
 */
export class ConcurrencyLimit {
  readonly #limit: number
  readonly #lanes = new Map<string, Lane>()
  #waiting = 0

  constructor(limit: number) {
    this.#limit = limit
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

  async run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const lane = this.#lanes.get(key) ?? { queue: new FairQueue(), running: 0 }
    this.#lanes.set(key, lane)
    if (lane.running < this.#limit) lane.running++
    else {
      this.#waiting++
      await lane.queue.wait(key)
      this.#waiting--
    }
    try {
      return await task()
    } finally {
      // A task that waits starts in place of this one, and the count stays the same.
      if (!lane.queue.next() && --lane.running === 0) this.#lanes.delete(key)
    }
  }
}
