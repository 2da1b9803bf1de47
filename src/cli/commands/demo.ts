import { Failure } from '../../domain/failure.js'
import { DEMO_EVENTS, DEMO_GRAPH } from '../../service/demo-graph.js'
import type { Store } from '../../store/store.js'
import type { Job } from '../run.js'
import type { Loregraph } from '../target/api.js'

/** Records the demo graph unless it is there already. */
export async function loadDemo(store: Store): Promise<void> {
  if (await hasDemo(store)) return
  await store.append(DEMO_GRAPH, DEMO_EVENTS, (index) => `/events/${index}`)
}

export async function hasDemo(store: Store): Promise<boolean> {
  try {
    await store.contextTypes(DEMO_GRAPH, { page: 0, pageSize: 1 })
    return true
  } catch (error) {
    if (error instanceof Failure && error.code === 'graph_not_found') return false
    throw error
  }
}

/** `loregraph demo` */
export async function demo(loregraph: Loregraph, { values, print, target }: Job): Promise<void> {
  const loaded = await loregraph.loadDemo()
  if (values.json) {
    print(JSON.stringify({ graph_id: DEMO_GRAPH, loaded, events: loaded ? DEMO_EVENTS.length : 0 }))
    return
  }
  print(
    loaded
      ? `The graph ${DEMO_GRAPH} was made of ${DEMO_EVENTS.length} events: a web team’s year.`
      : `The graph ${DEMO_GRAPH} is there already; nothing was changed.`,
  )
  print(`
Try next:

  loregraph insight ${DEMO_GRAPH} "Which test runner do we use?"
  loregraph insight ${DEMO_GRAPH} "Why do payments time out?" --explain
  loregraph export ${DEMO_GRAPH} | head -3${target.kind !== 'service' ? '\n  loregraph serve' : ''}`)
}
