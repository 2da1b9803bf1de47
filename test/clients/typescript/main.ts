/** openapi-typescript with openapi-fetch, and our own client, which is made of the same two. */
import assert from 'node:assert/strict'
import { createClient } from 'loregraph/client'
import createFetchClient, { type Client } from 'openapi-fetch'
import type { components, paths } from './api.js'

const baseUrl = process.env['BASE_URL'] ?? ''
const secret = process.env['SECRET'] ?? ''

await tell('client-openapi-fetch', (bearer) =>
  createFetchClient<paths>({ baseUrl, headers: { authorization: `Bearer ${bearer}` } }),
)
await tell('client-own', (bearer) => createClient({ baseUrl, secret: bearer }))

async function tell(graph_id: string, connect: (bearer: string) => Client<paths>): Promise<void> {
  const client = connect(secret)
  const record = async (event: Omit<components['schemas']['Event'], 'graph_id' | 'event_kind'>) => {
    const { data, error } = await client.POST('/v1/events', {
      body: { graph_id, event_kind: 'fact', ...event },
    })
    if (error) throw new Error(error.detail)
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
    const { data, error } = await client.GET('/v1/contexts/{graph_id}/{context_type}', {
      params: { path: { graph_id, context_type: 'skill' }, query: { page, page_size: 1 } },
    })
    if (error) throw new Error(error.detail)
    if (data.contexts.length === 0) break
    names.push(...data.contexts.map(({ context_name }) => context_name))
  }
  assert.deepEqual(names, ['hooks/effects', 'state_machines'])

  const search = await client.GET('/v1/contexts/{graph_id}', {
    params: { path: { graph_id }, query: { q: 'state mach' } },
  })
  assert.equal(search.data?.contexts?.[0]?.context_id, 'skill:state_machines')

  const links = await client.GET('/v1/contexts/{graph_id}/{context_type}/{name}/relationships', {
    params: { path: { graph_id, context_type: 'skill', name: 'hooks/effects' } },
  })
  assert.deepEqual(
    links.data?.relationships.map(({ kind, direction }) => [kind, direction]),
    [
      ['extension', 'incoming'],
      ['related-to', 'incoming'],
    ],
  )

  const insight = await client.POST('/v1/memories/insights', {
    body: { task: 'What do we do about a stale closure in an effect?', graph_id, explain: true },
  })
  assert.equal(insight.data?.evidence?.[0]?.context_id, 'error:stale_closure')

  const memory = await client.GET('/v1/memories/{graph_id}/{memory_id}', {
    params: { path: { graph_id, memory_id: event_id } },
  })
  assert.deepEqual(memory.data?.payload, first.payload)
  assert.equal(memory.data?.times_seen, 2)

  const exported = await client.GET('/v1/graphs/{graph_id}/events', {
    params: { path: { graph_id } },
    parseAs: 'text',
  })
  const imported = await client.POST('/v1/graphs/{graph_id}/events', {
    params: { path: { graph_id: `${graph_id}-copy` } },
    body: exported.data ?? '',
    bodySerializer: (body) => body,
    headers: { 'Content-Type': 'application/x-ndjson' },
  })
  assert.equal(imported.data?.memories, 3)

  const wrong = await connect('wrong').GET('/v1/graphs')
  assert.equal(wrong.response.status, 401)
  assert.equal(wrong.error?.code, 'unauthorized')
  const missing = await client.GET('/v1/contexts/{graph_id}', { params: { path: { graph_id: 'nowhere' } } })
  assert.equal(missing.response.status, 404)
  assert.equal(missing.error?.code, 'graph_not_found')
}
