/** Of the newest turn in the moving average: it follows a change of load within some ten turns. */
const EWMA_WEIGHT = 0.1
/** A longer turn has other causes, such as a collection of garbage. */
const MOST_COST_MS = 100

/** The time spent on what was begun in the present turn of the event loop, and the mean cost of one (an EWMA). */
export class LoopBudget {
  cost = 0
  #started = 0
  #begun = 0

  begin(): void {
    if (this.#begun++ > 0) return
    this.#started = performance.now()
    setImmediate(this.#end)
  }

  spent(): number {
    return this.#begun === 0 ? 0 : performance.now() - this.#started
  }

  readonly #end = (): void => {
    const each = Math.min(this.spent() / this.#begun, MOST_COST_MS)
    this.cost += EWMA_WEIGHT * (each - this.cost)
    this.#begun = 0
  }
}
