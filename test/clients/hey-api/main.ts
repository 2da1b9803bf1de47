/** @hey-api/openapi-ts with its own fetch client. */
import assert from 'node:assert/strict'
import { client } from './generated/client.gen.js'
import {
  browseContexts,
  type Event,
  exportGraph,
  generateInsight,
  getMemory,
  importGraph,
  listContexts,
  listGraphs,
  listRelationships,
  recordEvent,
} from './generated/index.js'

const graph_id = 'client-hey-api'
client.setConfig({ baseUrl: process.env['BASE_URL'] ?? '', auth: process.env['SECRET'] ?? '' })

const record = async (event: Omit<Event, 'graph_id' | 'event_kind'>) => {
  const { data, error } = await recordEvent({ body: { graph_id, event_kind: 'fact', ...event } })
  if (data === undefined) throw new Error(error.detail)
  return data
}
const first = { context_id: 'skill:hooks/effects', payload: { advice: 'Keep effects small' } }
const { event_id, status } = await record(first)
assert.equal(status, 'recorded')
assert.equal((await record(first)).status, 'duplicate')
await record({
  context_id: 'skill:state_machines',
  payload: { data: 'They help' },
  related_to: ['skill:hooks/effects'],
})
await record({
  context_id: 'error:stale_closure',
  payload: { fix: 'List what the effect reads' },
  extends: ['skill:hooks/effects'],
})

const names: string[] = []
for (let page = 0; ; page++) {
  const { data, error } = await listContexts({
    path: { graph_id, context_type: 'skill' },
    query: { page, page_size: 1 },
  })
  if (data === undefined) throw new Error(error.detail)
  if (data.contexts.length === 0) break
  names.push(...data.contexts.map(({ context_name }) => context_name))
}
assert.deepEqual(names, ['hooks/effects', 'state_machines'])

const search = await browseContexts({ path: { graph_id }, query: { q: 'state mach' } })
assert.equal(search.data?.contexts?.[0]?.context_id, 'skill:state_machines')

const links = await listRelationships({ path: { graph_id, context_type: 'skill', name: 'hooks/effects' } })
assert.deepEqual(
  links.data?.relationships.map(({ kind, direction }) => [kind, direction]),
  [
    ['extension', 'incoming'],
    ['related-to', 'incoming'],
  ],
)

const insight = await generateInsight({
  body: { task: 'What do we do about a stale closure in an effect?', graph_id, explain: true },
})
assert.equal(insight.data?.evidence?.[0]?.context_id, 'error:stale_closure')

const memory = await getMemory({ path: { graph_id, memory_id: event_id } })
assert.deepEqual(memory.data?.payload, first.payload)
assert.equal(memory.data?.times_seen, 2)

const exported = await exportGraph({ path: { graph_id }, parseAs: 'text' })
const imported = await importGraph({
  path: { graph_id: `${graph_id}-copy` },
  body: exported.data ?? '',
  bodySerializer: null,
})
assert.equal(imported.data?.memories, 3)

const wrong = await listGraphs({ auth: 'wrong' })
assert.equal(wrong.response?.status, 401)
assert.equal(wrong.error?.code, 'unauthorized')
const missing = await browseContexts({ path: { graph_id: 'nowhere' } })
assert.equal(missing.response?.status, 404)
assert.equal(missing.error?.code, 'graph_not_found')
