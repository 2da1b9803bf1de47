/** Weight of the newest interval in the moving average, which follows a change of load in about 30 turns. */
const WEIGHT = 0.03
/** Longer intervals have other causes, such as garbage collection or a suspended machine. */
const MAX_INTERVAL_MS = 100

/** The average time between two turns of a queue, in milliseconds. Time spent on other work counts too. */
export class Pace {
  ms = 0
  #last = 0

  /** To be called when the queue stops being empty. */
  start(): void {
    this.#last = performance.now()
  }

  /** To be called at each turn. */
  next(): void {
    const now = performance.now()
    this.ms += WEIGHT * (Math.min(now - this.#last, MAX_INTERVAL_MS) - this.ms)
    this.#last = now
  }
}
