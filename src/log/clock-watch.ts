import type { GraphId } from '../domain/model.js'
import type { Logger } from '../store/logger.js'

/** Clocks that are set by the network step by less. */
const MAX_STEP_MS = 60_000

/**
 * Times of a graph only rise, so one event under a clock that is ahead moves all later ones. Nothing is refused for it, since
 * nobody but the operator can say which clock is right; the operator is told, once for each step and graph.
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

  /** The clock, watched. */
  readonly now = (): Date => {
    const now = this.#now()
    this.#latest = now.getTime()
    return now
  }

  /** To be called after each write to a graph, with the time of its last event before. */
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
