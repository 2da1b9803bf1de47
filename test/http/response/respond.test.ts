import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pageLinks } from '../../../src/http/response/respond.js'
import { startTestServer, type TestServer } from '../../support/server.js'

let server: TestServer
const record = (name: string, data = 'x') =>
  server.fetch('/v1/events', {
    json: { graph_id: 'demo', event_kind: 'fact', context_id: `skill:${name}`, payload: { data } },
  })
beforeAll(async () => {
  server = await startTestServer()
  for (let i = 0; i < 7; i++) await record(`topic ${i}`)
})
afterAll(() => server.stop())

describe('B13: conditional reads', () => {
  test('304 without a body for what the caller has, in every form of If-None-Match', async () => {
    const { headers } = await server.call('/v1/contexts/demo/skill')
    const etag = headers.get('etag') ?? ''
    expect(etag).toMatch(/^W\/"[\w-]+"$/)
    for (const known of [etag, etag.slice(2), `"a", ${etag}`, `${etag} , "b"`, '*']) {
      const response = await server.fetch('/v1/contexts/demo/skill', { headers: { 'If-None-Match': known } })
      expect(response.status, known).toBe(304)
      expect(await response.text()).toBe('')
      expect(response.headers.get('etag')).toBe(etag)
      expect(response.headers.get('cache-control')).toBe('private, no-cache')
    }
    for (const other of ['"a"', 'W/"a"', '', etag.slice(0, -2)])
      expect(
        (await server.fetch('/v1/contexts/demo/skill', { headers: { 'If-None-Match': other } })).status,
      ).toBe(200)
  })

  test('the tag changes exactly when the answer does', async () => {
    const tag = async (path: string) => (await server.fetch(path)).headers.get('etag')
    const path = '/v1/contexts/demo/skill/topic_1'
    const before = await tag(path)
    expect(await tag(path)).toBe(before)
    await record('topic 2', 'more')
    expect(await tag(path)).toBe(before)
    await record('topic 1', 'more')
    expect(await tag(path)).not.toBe(before)
  })

  test('no answer may be shared, and errors and writes are not kept at all', async () => {
    const read = await server.fetch('/v1/contexts/demo')
    expect(read.headers.get('cache-control')).toBe('private, no-cache')
    expect(read.headers.get('vary')).toBe('Accept, Accept-Encoding, Authorization')
    const others = [
      await server.fetch('/v1/contexts/none'),
      await server.fetch('/nothing'),
      await fetch(`${server.url}/v1/contexts/demo`),
      await record('topic 1', 'again'),
      await server.fetch('/readyz'),
    ]
    for (const response of others) expect(response.headers.get('cache-control')).toBe('no-store')
    for (const response of [read, ...others]) {
      expect(response.headers.get('x-content-type-options')).toBe('nosniff')
      expect(response.headers.get('x-powered-by')).toBeNull()
    }
  })

  test('writes take no notice of If-None-Match', async () => {
    const json = { graph_id: 'demo', query: 'x' }
    expect((await server.fetch('/v1/memories', { json, headers: { 'If-None-Match': '*' } })).status).toBe(200)
  })
})

describe('B16: paging', () => {
  test('the pages of every size join to the whole list, with a constant total', async () => {
    const names = (body: Record<string, unknown>) =>
      (body['contexts'] as { context_name: string }[]).map((it) => it.context_name)
    const whole = names((await server.call('/v1/contexts/demo/skill')).body)
    expect(whole).toHaveLength(7)
    for (let size = 1; size <= 8; size++) {
      const joined: string[] = []
      let path: string | undefined = `/v1/contexts/demo/skill?page=0&page_size=${size}`
      while (path !== undefined) {
        const { body, headers } = await server.call(path)
        expect(body).toMatchObject({ total: 7, page_size: size })
        joined.push(...names(body))
        path = linksOf(headers)['next']
      }
      expect(joined).toEqual(whole)
    }
  })

  /** The place of what is recorded next in this graph. */
  const nextPlace = async () => {
    const json = { graph_id: 'demo', event_kind: 'fact', payload: { text: 'next' }, dry_run: true }
    return Number((await server.call('/v1/events', { json })).body['place'])
  }

  test('the pages that Link leads to are of the moment of the first, whatever is recorded meanwhile', async () => {
    const record = async (context_id: string, text: string) => {
      const json = { graph_id: 'moving', event_kind: 'fact', context_id, payload: { text } }
      expect((await server.call('/v1/events', { json })).status).toBe(201)
    }
    for (let i = 10; i < 30; i++) {
      await record(`topic:n${i}`, `context ${i}`)
      await record('topic:one', `memory ${i}`)
    }
    const joined = async (path: string, list: string, id: string, meanwhile: (page: number) => unknown) => {
      const seen: unknown[] = []
      let page = 0
      for (let next: string | undefined = path; next !== undefined; page++) {
        const { body, headers } = await server.call(next)
        seen.push(...(body[list] as Record<string, unknown>[]).map((item) => item[id]))
        await meanwhile(page)
        next = linksOf(headers)['next']
      }
      expect(page).toBeGreaterThan(3)
      return seen
    }
    for (const [path, list, id, meanwhile] of [
      ['/topic', 'contexts', 'context_id', (page: number) => record(`topic:a${page}`, 'new')],
      ['/topic/one', 'memories', 'memory_id', (page: number) => record('topic:one', `new ${page}`)],
      ['', 'context_types', 'context_type', (page: number) => record(`a${page}:x`, 'new')],
    ] as const) {
      if (path === '') for (let i = 0; i < 20; i++) await record(`type${i}:x`, 'another')
      const url = `/v1/contexts/moving${path}`
      const { body } = await server.call(`${url}?page_size=500`)
      const whole = (body[list] as Record<string, unknown>[]).map((item) => item[id])
      expect(await joined(`${url}?page_size=5`, list, id, meanwhile)).toEqual(whole)
    }
  })

  test('Link has first, prev, next and last as far as there are any, and keeps q', async () => {
    const links = async (query: string) => linksOf((await server.call(`/v1/contexts/demo?${query}`)).headers)
    const at = (page: number) => `/v1/contexts/demo?q=topic%20%26&page=${page}&page_size=3`
    expect(await links('q=topic+%26&page_size=3')).toEqual({ first: at(0), last: at(0) })
    const asOf = (await nextPlace()) - 1
    const path = (page: number) => `/v1/contexts/demo?q=topic&as_of=${asOf}&page=${page}&page_size=3`
    expect(await links('page_size=3&q=topic')).toEqual({ first: path(0), next: path(1), last: path(2) })
    expect(await links('page_size=3&q=topic&page=1')).toEqual({
      first: path(0),
      prev: path(0),
      next: path(2),
      last: path(2),
    })
    expect(await links('page_size=3&q=topic&page=2')).toEqual({
      first: path(0),
      prev: path(1),
      last: path(2),
    })
  })

  test('past the end: an empty page, and the way back', async () => {
    const { status, body, headers } = await server.call('/v1/contexts/demo/skill?page=1000000&page_size=3')
    expect(status).toBe(200)
    expect(body).toEqual({ contexts: [], total: 7, page: 1_000_000, page_size: 3 })
    const asOf = (await nextPlace()) - 1
    expect(linksOf(headers)['prev']).toBe(`/v1/contexts/demo/skill?as_of=${asOf}&page=2&page_size=3`)
    expect(linksOf(headers)['next']).toBeUndefined()
  })

  test('a link cannot be broken out of', () => {
    expect(pageLinks('/v1/a>;rel="x"<b', { q: '>"' }, { total: 1, page: 0, page_size: 1 })).toBe(
      '</v1/a%3E;rel=%22x%22%3Cb?q=%3E%22&page=0&page_size=1>; rel="first", </v1/a%3E;rel=%22x%22%3Cb?q=%3E%22&page=0&page_size=1>; rel="last"',
    )
  })
})

function linksOf(headers: Headers): Record<string, string> {
  const links = (headers.get('link') ?? '').matchAll(/<([^>]*)>; rel="(\w+)"/g)
  return Object.fromEntries(Array.from(links, ([, url = '', rel = '']) => [rel, url]))
}
