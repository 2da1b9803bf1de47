/** Is a graph whole? While a large batch is applied in slices it is not, and questions wait until it is. */
export class Whole {
  #changing: Promise<unknown> | undefined

  /** Undefined while the graph is whole. */
  get changing(): Promise<unknown> | undefined {
    return this.#changing
  }

  /** Does work that leaves the graph in parts while it goes on. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    const changing = work()
    this.#changing = changing.catch(() => undefined)
    try {
      return await changing
    } finally {
      this.#changing = undefined
    }
  }
}
