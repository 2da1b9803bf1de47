import type { NewMemory, Receipt } from '../../../domain/model.js'
import type { EventPath, Idempotency } from '../../store.js'
import type { GraphPorts } from '../graph-files/ports.js'
import type { Group } from '../log/frame.js'
import type { EventRecord } from '../log/records.js'
import type { Graph } from '../memory/graph.js'
import { Draft } from './draft.js'

/** An append that waits for its turn. */
export interface Waiting {
  readonly events: readonly NewMemory[]
  readonly at: EventPath
  readonly once: Idempotency | undefined
  readonly resolve: (receipts: readonly Receipt[]) => void
  readonly reject: (error: unknown) => void
}

/** Work that is done with no append under way. */
export type Alone = () => Promise<void>

/** The most events that share a flush: beyond it, waiting costs more than flushing twice. */
const MOST_EVENTS = 1000

/** Takes the appends at the head of the queue that can share a flush. */
export function takeAppends(queue: (Waiting | Alone)[]): Waiting[] {
  const taken: Waiting[] = []
  let events = 0
  for (const next of queue) {
    if (typeof next === 'function') break
    events += next.events.length
    if (taken.length > 0 && events > MOST_EVENTS) break
    taken.push(next)
  }
  queue.splice(0, taken.length)
  return taken
}

/** What the appends would become, one after the other; those that cannot be are refused and left out. */
export function draftAppends(
  appends: readonly Waiting[],
  graph: Graph,
  { chance, refuseUnlessWritable }: GraphPorts,
): { waiting: Waiting; group: Group<EventRecord> }[] {
  const draft = new Draft(graph, chance)
  return appends.flatMap((waiting) => {
    const { events, at, once } = waiting
    try {
      refuseUnlessWritable()
      const records = draft.add(events, at)
      const kept = once && { once: { ...once, at: chance.now().toISOString() } }
      return [{ waiting, group: { records, ...kept } }]
    } catch (error) {
      waiting.reject(error)
      return []
    }
  })
}
