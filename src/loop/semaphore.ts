interface Limit {
  readonly timeoutMs: number
  readonly onTimeout: () => unknown
}

/** Runs at most `limit` tasks at once. The rest wait in order. */
export class Semaphore {
  #free: number
  readonly #waiting = new Set<() => void>()

  constructor(limit: number) {
    this.#free = limit
  }

  get waiting(): number {
    return this.#waiting.size
  }

  /** With `limit`, rejects with `onTimeout()` if `work` has not started after `timeoutMs` milliseconds. */
  async run<T>(work: () => Promise<T>, limit?: Limit): Promise<T> {
    if (this.#free > 0) this.#free--
    else await this.#wait(limit)
    try {
      return await work()
    } finally {
      const [next] = this.#waiting
      if (next === undefined) this.#free++
      else next()
    }
  }

  #wait(limit: Limit | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = () => {
        clearTimeout(timer)
        this.#waiting.delete(begin)
        resolve()
      }
      const timer =
        limit &&
        setTimeout(() => {
          this.#waiting.delete(begin)
          reject(limit.onTimeout())
        }, limit.timeoutMs)
      this.#waiting.add(begin)
    })
  }
}
