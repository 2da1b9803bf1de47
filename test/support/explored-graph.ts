import { loadDemo } from '../../src/service/demo-graph.js'
import type { TestServer } from './server.js'

/** The graph that the explorer is looked at with: the demo graph, which has something of everything. */
export async function loadExplored({ store }: TestServer): Promise<void> {
  await loadDemo(store)
}

export async function record(
  server: TestServer,
  graph: string,
  events: readonly object[],
): Promise<string[]> {
  const { status, body } = await server.call('/v1/events/batch', { json: { graph_id: graph, events } })
  if (status !== 201) throw new Error(`Nothing was recorded: ${status} ${JSON.stringify(body)}`)
  return (body['results'] as { event_id: string }[]).map(({ event_id }) => event_id)
}
