/** Runs at most `limit` tasks at once. The rest wait in order without holding a connection. */
export class Queue {
  #free: number
  readonly #waiting = new Set<() => void>()

  constructor(limit: number) {
    this.#free = limit
  }

  get waiting(): number {
    return this.#waiting.size
  }

  /** Rejects with `patience.late()` if `work` has not started after `patience.ms` milliseconds. */
  async run<T>(
    work: () => Promise<T>,
    patience?: { readonly ms: number; readonly late: () => unknown },
  ): Promise<T> {
    if (this.#free > 0) this.#free--
    else await this.#wait(patience)
    try {
      return await work()
    } finally {
      const [next] = this.#waiting
      if (next === undefined) this.#free++
      else next()
    }
  }

  #wait(patience: { readonly ms: number; readonly late: () => unknown } | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = () => {
        clearTimeout(timer)
        this.#waiting.delete(begin)
        resolve()
      }
      const timer =
        patience &&
        setTimeout(() => {
          this.#waiting.delete(begin)
          reject(patience.late())
        }, patience.ms)
      this.#waiting.add(begin)
    })
  }
}
