import { DEMO_EVENTS } from '../../src/service/demo-graph.js'
import type { TestServer } from './server.js'

const LINKS = {
  reinforcement: 'reinforces',
  extension: 'extends',
  contradiction: 'contradicts',
  'related-to': 'related_to',
} as const

/** The demo graph, recorded as agents would, and on top of it what has expired and what was said again. */
export async function recordExplored(server: TestServer, graph = 'demo'): Promise<void> {
  const events = DEMO_EVENTS.map(({ contextId, eventKind, source, payload, links, occurredAt }) => {
    const stated: Record<string, string[]> = {}
    for (const { kind, target } of links) stated[LINKS[kind]] = [...(stated[LINKS[kind]] ?? []), target]
    return { context_id: contextId, event_kind: eventKind, source, payload, timestamp: occurredAt, ...stated }
  })
  const freeze = {
    context_id: 'decision:release_freeze',
    event_kind: 'decision',
    source: 'user',
    payload: { decision: 'Nothing is released while the auditors are here' },
    timestamp: '2026-03-20T09:00:00Z',
    valid_until: '2026-03-27T09:00:00Z',
  }
  const again = { ...events[8], timestamp: '2026-04-01T09:00:00Z', source: 'executor' }
  await record(server, graph, [...events, freeze, again])
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
