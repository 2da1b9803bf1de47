import type { GraphId } from '../domain/model.js'
import type { Logger } from '../store/logger.js'

/** Corrections of a clock over the network are smaller. */
const MAX_STEP_MS = 60_000

/**
 * Warns about wrong clocks. The times of a graph never decrease, so an event recorded with a fast clock delays the times of all
 * later events. Nothing is refused, since only the operator knows which clock is right. Warns once for each step and graph.
 */
export class ClockWatch {
  readonly #now: () => Date
  readonly #logger: Logger
  readonly #behind = new Set<GraphId>()
  #latest = 0
  #offset: number | undefined

  constructor(now: () => Date, logger: Logger) {
    this.#now = now
    this.#logger = logger
  }

  /** The current time, which `check` compares later. */
  readonly now = (): Date => {
    const now = this.#now()
    this.#latest = now.getTime()
    return now
  }

  /** Must be called for each write to a graph, with the time of its last event before the write. */
  check(graphId: GraphId, lastRecordedAt: string): void {
    const now = this.#latest
    const offset = now - performance.now()
    const step = offset - (this.#offset ?? offset)
    this.#offset ??= offset
    if (Math.abs(step) > MAX_STEP_MS) {
      this.#offset = offset
      this.#logger.warn(
        { seconds: Math.round(step / 1000) },
        'The clock was set, or the machine slept. What is recorded under a clock that is ahead keeps its time.',
      )
    }
    const isBehind = lastRecordedAt !== '' && Date.parse(lastRecordedAt) - now > MAX_STEP_MS
    if (!isBehind) this.#behind.delete(graphId)
    else if (!this.#behind.has(graphId)) {
      this.#behind.add(graphId)
      this.#logger.warn(
        { graph: graphId, lastRecordedAt },
        'The clock is behind the last event of a graph: new events get its time until the clock has caught up.',
      )
    }
  }
}
