/** The time spent in the present turn of the event loop since the first piece of work was begun in it. */
export class LoopBudget {
  #started: number | undefined

  begin(): void {
    if (this.#started !== undefined) return
    this.#started = performance.now()
    setImmediate(() => {
      this.#started = undefined
    })
  }

  spent(): number {
    return this.#started === undefined ? 0 : performance.now() - this.#started
  }
}
