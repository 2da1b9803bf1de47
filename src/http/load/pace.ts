/** Of the newest in the moving average: it follows a change of load within some thirty. */
const WEIGHT = 0.03
/** A longer wait has other causes, such as a collection of garbage or a machine that stood still. */
const MOST_MS = 100

/** How long it takes, in milliseconds, until the next of those who wait has its turn: all time counts, that of others too. */
export class Pace {
  ms = 0
  #last = 0

  /** Somebody waits where nobody did. */
  start(): void {
    this.#last = performance.now()
  }

  /** Somebody has had his turn. */
  next(): void {
    const now = performance.now()
    this.ms += WEIGHT * (Math.min(now - this.#last, MOST_MS) - this.ms)
    this.#last = now
  }
}
