import type { ClockAndRandom } from '../../../domain/clock-and-random.js'
import { stillRunning } from '../../../domain/failure.js'
import type { GraphId, NewMemory, Receipt } from '../../../domain/model.js'
import type { EventPath, Idempotency } from '../../store.js'
import type { Database } from '../connection/database.js'
import { type Append, appendAll } from './append.js'

interface Waiting extends Append {
  readonly resolve: (receipts: readonly Receipt[]) => void
  readonly reject: (error: unknown) => void
}

/** The most events that share a transaction: beyond it, waiting costs more than committing twice. */
const MOST_EVENTS = 1000

/**
 * The writers of this process. Those who write to the same graph at the same time share a transaction, and so a flush of
 * the database; what arrives meanwhile shares the next.
 */
export class GroupCommit {
  readonly #database: Database
  readonly #chance: ClockAndRandom
  readonly #queues = new Map<GraphId, Waiting[]>()
  /** The Idempotency-Keys that are under way in this process. */
  readonly #running = new Set<string>()
  readonly #working = new Set<Promise<void>>()

  constructor(database: Database, chance: ClockAndRandom) {
    this.#database = database
    this.#chance = chance
  }

  append(
    graphId: GraphId,
    events: readonly NewMemory[],
    at: EventPath,
    once: Idempotency | undefined,
  ): Promise<readonly Receipt[]> {
    if (events.length === 0) return Promise.resolve([])
    const claimed = once && `${graphId} ${once.key}`
    if (claimed !== undefined && this.#running.has(claimed)) return Promise.reject(stillRunning())
    if (claimed !== undefined) this.#running.add(claimed)
    const done = new Promise<readonly Receipt[]>((resolve, reject) => {
      const waiting = { events, at, once, resolve, reject }
      const queue = this.#queues.get(graphId)
      if (queue !== undefined) queue.push(waiting)
      else this.#start(graphId, waiting)
    })
    return claimed === undefined ? done : done.finally(() => this.#running.delete(claimed))
  }

  async settled(): Promise<void> {
    await Promise.all(this.#working)
  }

  #start(graphId: GraphId, first: Waiting): void {
    const queue = [first]
    this.#queues.set(graphId, queue)
    const working = this.#work(graphId, queue).finally(() => this.#working.delete(working))
    this.#working.add(working)
  }

  async #work(graphId: GraphId, queue: Waiting[]): Promise<void> {
    // Those who write in the same turn come along.
    await Promise.resolve()
    while (queue.length > 0) {
      const group = take(queue)
      try {
        const outcomes = await appendAll(this.#database, graphId, group, this.#chance)
        for (const [i, outcome] of outcomes.entries())
          if ('receipts' in outcome) group[i]?.resolve(outcome.receipts)
          else group[i]?.reject(outcome.error)
      } catch (error) {
        for (const waiting of group) waiting.reject(error)
      }
    }
    this.#queues.delete(graphId)
  }
}

function take(queue: Waiting[]): Waiting[] {
  let events = 0
  const past = queue.findIndex((waiting) => {
    events += waiting.events.length
    return events > MOST_EVENTS
  })
  return queue.splice(0, past < 0 ? queue.length : Math.max(1, past))
}
