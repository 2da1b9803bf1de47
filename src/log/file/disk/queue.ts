/** Runs work one after another, whether the work before it failed or not. */
export class Queue {
  #last: Promise<unknown> = Promise.resolve()

  run<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work)
    this.#last = done.catch(() => undefined)
    return done
  }

  /** Resolves when the work that was added so far has ended. */
  async idle(): Promise<void> {
    await this.#last
  }
}
