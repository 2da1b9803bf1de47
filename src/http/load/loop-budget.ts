/** Measures the time since the first call of `begin` in the current turn of the event loop. */
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
