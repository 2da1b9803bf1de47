import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../support/server.js'

/**
 * The five functions that callers were promised before there was a contract: written out as they are sent and as they
 * are answered, with nothing taken from the contract or from the types, so that neither can drift away unseen.
 */

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  const events = [
    {
      context_id: 'skill:react_hooks',
      payload: { value: 'Hooks run in order' },
      reinforces: ['skill:react_performance'],
    },
    { context_id: 'skill:react_hooks', payload: { value: 'Hooks need cleanup' }, extends: ['project:shop'] },
    {
      context_id: 'error:infinite_loop',
      payload: { fix: 'List the dependencies of the effect' },
      contradicts: ['skill:react_hooks'],
    },
    {
      context_id: 'skill:react_hooks',
      payload: { value: 'Hooks replace classes' },
      related_to: ['error:infinite_loop'],
    },
  ]
  const json = { graph_id: 'g-1', events: events.map((event) => ({ event_kind: 'fact', ...event })) }
  expect((await server.call('/v1/events/batch', { json })).status).toBe(201)
})
afterAll(() => server.stop())

/** As a plain client would do it, with the secret in the header and nowhere else. */
async function request(method: string, path: string, body?: string) {
  const response = await fetch(server.url + path, {
    method,
    headers: {
      Authorization: `Bearer ${server.secret}`,
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    },
    ...(body !== undefined && { body }),
  })
  return { status: response.status, body: (await response.json()) as unknown }
}

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const context = (context_type: string, context_name: string, memory_count: number) => ({
  context_id: `${context_type}:${context_name}`,
  context_type,
  context_name,
  memory_count,
  updated_at: TIME,
})

describe('A10: list context types', () => {
  test('GET /v1/contexts/{graph_id}', async () => {
    expect(await request('GET', '/v1/contexts/g-1')).toEqual({
      status: 200,
      body: {
        context_types: [
          { context_type: 'error', count: 1 },
          { context_type: 'project', count: 1 },
          { context_type: 'skill', count: 2 },
        ],
        total: 3,
        page: 0,
        page_size: 100,
      },
    })
  })

  test('GET /v1/contexts/{graph_id}?page=&page_size=', async () => {
    expect(await request('GET', '/v1/contexts/g-1?page=1&page_size=2')).toEqual({
      status: 200,
      body: { context_types: [{ context_type: 'skill', count: 2 }], total: 3, page: 1, page_size: 2 },
    })
  })
})

describe('A10: search contexts', () => {
  test('GET /v1/contexts/{graph_id}?q=, matched against names and types', async () => {
    expect(await request('GET', '/v1/contexts/g-1?q=react%20hooks')).toEqual({
      status: 200,
      body: { contexts: [context('skill', 'react_hooks', 3)], total: 1, page: 0, page_size: 100 },
    })
    expect(await request('GET', '/v1/contexts/g-1?q=error')).toEqual({
      status: 200,
      body: { contexts: [context('error', 'infinite_loop', 1)], total: 1, page: 0, page_size: 100 },
    })
  })

  test('with page and page_size', async () => {
    expect(await request('GET', '/v1/contexts/g-1?q=react&page=1&page_size=1')).toEqual({
      status: 200,
      body: { contexts: [context('skill', 'react_performance', 0)], total: 2, page: 1, page_size: 1 },
    })
  })
})

describe('A10: list contexts by type', () => {
  test('GET /v1/contexts/{graph_id}/{context_type}', async () => {
    expect(await request('GET', '/v1/contexts/g-1/skill')).toEqual({
      status: 200,
      body: {
        contexts: [context('skill', 'react_hooks', 3), context('skill', 'react_performance', 0)],
        total: 2,
        page: 0,
        page_size: 100,
      },
    })
  })

  test('with page and page_size', async () => {
    expect(await request('GET', '/v1/contexts/g-1/skill?page=0&page_size=1')).toEqual({
      status: 200,
      body: { contexts: [context('skill', 'react_hooks', 3)], total: 2, page: 0, page_size: 1 },
    })
  })
})

describe('A10: relationships of a context', () => {
  test('GET /v1/contexts/{graph_id}/{context_type}/{name}/relationships', async () => {
    const link = (kind: string, direction: string, context_type: string, context_name: string) => ({
      kind,
      direction,
      context_id: `${context_type}:${context_name}`,
      context_type,
      context_name,
      weight: 1,
      first_seen: TIME,
      last_seen: TIME,
    })
    expect(await request('GET', '/v1/contexts/g-1/skill/react_hooks/relationships')).toEqual({
      status: 200,
      body: {
        context_id: 'skill:react_hooks',
        relationships: [
          link('reinforcement', 'outgoing', 'skill', 'react_performance'),
          link('extension', 'outgoing', 'project', 'shop'),
          link('related-to', 'outgoing', 'error', 'infinite_loop'),
          link('contradiction', 'incoming', 'error', 'infinite_loop'),
        ],
        total: 4,
      },
    })
  })
})

describe('A10: generate insights', () => {
  const insight = {
    insight: expect.stringMatching(/./),
    recommendation: expect.stringMatching(/./),
    confidence: expect.stringMatching(/^(high|medium|low)$/),
  }

  test('POST /v1/memories/insights with task and graph_id', async () => {
    const body = '{"task":"How do I fix the effect that never stops?","graph_id":"g-1"}'
    expect(await request('POST', '/v1/memories/insights', body)).toEqual({ status: 200, body: insight })
  })

  test('with every field: limit, locus_query, context_types with names and with an empty array', async () => {
    const body = `{
      "task": "Prepare the release",
      "graph_id": "g-1",
      "limit": 10,
      "locus_query": "dependencies of the effect",
      "context_types": { "skill": ["react_hooks", "react_performance"], "error": [] }
    }`
    const answer = await request('POST', '/v1/memories/insights', body)
    expect(answer).toEqual({ status: 200, body: insight })
    expect(answer.body).toMatchObject({
      insight: expect.stringContaining('List the dependencies of the effect'),
    })
  })
})
