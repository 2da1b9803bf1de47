import { DEMO_EVENTS, DEMO_GRAPH } from '../../service/demo-graph.js'
import type { Prepare } from './job.js'

/** `loregraph demo` */
export const demo: Prepare =
  ({ values, print, target }) =>
  async (api) => {
    const loaded = await api.loadDemo()
    if (values.json)
      return print(JSON.stringify({ graph_id: DEMO_GRAPH, loaded, events: loaded ? DEMO_EVENTS.length : 0 }))
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
