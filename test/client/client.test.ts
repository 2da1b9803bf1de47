import { expect, test } from 'vitest'
import { createClient } from '../../src/client/index.js'
import { useApi } from '../support/api.js'

const api = useApi(async (it) => {
  await it.record({ payload: { text: 'first' } })
})
const path = { graph_id: 'demo' }

test('what compiles works: an export, and an import of it', async () => {
  const { url: baseUrl, secret } = api.server
  const client = createClient({ baseUrl, secret })
  const exported = await client.GET('/v1/graphs/{graph_id}/events', { params: { path } })
  const text: string = exported.data ?? ''
  expect(text.split('\n')).toHaveLength(4)
  const imported = await client.POST('/v1/graphs/{graph_id}/events', {
    params: { path: { graph_id: 'copy' } },
    body: text,
  })
  expect(imported.data).toEqual({ graph_id: 'copy', events: 1, memories: 1 })
  const again = await client.POST('/v1/graphs/{graph_id}/events', {
    params: { path: { graph_id: 'copy' } },
    body: text,
    headers: new Headers({ 'X-Request-Id': 'mine' }),
  })
  expect(again.error).toMatchObject({ code: 'graph_exists', request_id: 'mine' })
})

test('the rest is JSON as before, and an export can still be had as a stream', async () => {
  const { url: baseUrl, secret } = api.server
  const client = createClient({ baseUrl, secret })
  const body = { graph_id: 'demo', event_kind: 'fact', payload: { text: 'second' } } as const
  expect((await client.POST('/v1/events', { body })).data?.status).toBe('recorded')
  expect((await client.GET('/v1/graphs')).data?.total).toBe(2)
  const { data } = await client.GET('/v1/graphs/{graph_id}/events', { params: { path }, parseAs: 'stream' })
  expect(data).toBeInstanceOf(ReadableStream)
  await data?.cancel()
  const missing = { params: { path: { graph_id: 'none' } } }
  expect((await client.GET('/v1/graphs/{graph_id}/events', missing)).error?.code).toBe('graph_not_found')
})
