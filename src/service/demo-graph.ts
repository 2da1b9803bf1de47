import type { PastEvent } from '../domain/events/recording.js'
import { Failure } from '../domain/failure.js'
import type { MemoryId } from '../domain/model.js'
import { AsRecorded } from '../domain/transfer/as-recorded.js'
import type { Store } from '../store/store.js'
import type { DemoEvent } from './demo/event.js'
import { OPERATIONS } from './demo/operations.js'
import { PEOPLE } from './demo/people.js'
import { SHOP } from './demo/shop.js'
import { STACK } from './demo/stack.js'
import { TESTS_AND_PAYMENTS } from './demo/tests-and-payments.js'

export const DEMO_GRAPH = 'demo'

/** A year of a small web shop, with every kind of event, source, link and trust, in the order of its days. */
const YEAR: readonly DemoEvent[] = [...PEOPLE, ...STACK, ...SHOP, ...OPERATIONS, ...TESTS_AND_PAYMENTS].sort(
  (a, b) => Date.parse(a.occurredAt) - Date.parse(b.occurredAt),
)

/** The events of the demo graph, each recorded on its day, so that the graph is the same in every service. */
export function demoEvents(): PastEvent[] {
  const ids = new Map<string, MemoryId>()
  let today = ''
  const graph = new AsRecorded({
    now: () => new Date(today),
    randomBytes: (count) => new Uint8Array(count),
  })
  return YEAR.map(({ name, ...event }) => {
    today = event.occurredAt
    const links = event.links.map(({ kind, target }) => ({ kind, target: ids.get(target) ?? target }))
    const recorded = graph.next({ ...event, links })
    if (name !== undefined) ids.set(`@${name}`, recorded.memoryId)
    return recorded
  })
}

/** Imports the demo graph. Resolves to false if a graph with its id exists already. */
export async function loadDemo(store: Store): Promise<boolean> {
  try {
    await store.importGraph(DEMO_GRAPH, oneBatch(demoEvents()), (index) => `/events/${index}`)
    return true
  } catch (error) {
    if (error instanceof Failure && error.code === 'graph_exists') return false
    throw error
  }
}

export async function* oneBatch(events: readonly PastEvent[]): AsyncGenerator<readonly PastEvent[]> {
  yield events
}
