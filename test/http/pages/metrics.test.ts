import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createMetrics } from '../../../src/http/pages/metrics.js'
import { expectProblem } from '../../support/problem.js'
import { startTestServer, type TestServer } from '../../support/server.js'
import { send } from '../../support/wire.js'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

const SAMPLE = /^([a-zA-Z_:][\w:]*)(\{(?:\w+="(?:[^"\\\n]|\\.)*",?)*\})? (\S+)$/

/** Series → value. Fails on a line that the text format of Prometheus does not have. */
async function scrape(url = server.url): Promise<Map<string, number>> {
  const response = await fetch(`${url}/metrics`)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
  const series = new Map<string, number>()
  for (const line of (await response.text()).split('\n')) {
    if (line === '' || line.startsWith('# HELP ') || line.startsWith('# TYPE ')) continue
    const [, name = '', labels = '', value = ''] = SAMPLE.exec(line) ?? []
    expect(name, line).not.toBe('')
    // Before its first measurement the delay of the event loop is no number, which Prometheus reads as well.
    expect(Number.isFinite(Number(value)) || ['+Inf', 'Nan'].includes(value), line).toBe(true)
    expect(series.has(name + labels), line).toBe(false)
    series.set(name + labels, Number(value))
  }
  return series
}

/** The scrape does not see itself: it is counted when it is over. Others may be over a moment after they were read. */
async function settled(name: string, least: number): Promise<Map<string, number>> {
  for (;;) {
    const series = await scrape()
    if ((series.get(name) ?? 0) >= least) return series
  }
}

describe('E4: metrics', () => {
  test('E4: the counts are those of the client, and hundreds of graphs make no more series than one', async () => {
    const ASKED = 500
    const asked = new Map<number, number>()
    const headers = { Authorization: `Bearer ${server.secret}` }
    const ask = async (graph: string) => {
      const target = `/v1/contexts/${graph}`
      const { status } = await send(server.port, { method: 'GET', target, headers })
      asked.set(status, (asked.get(status) ?? 0) + 1)
    }
    await server.fetch('/v1/events', { json: { graph_id: 'g', event_kind: 'fact', payload: { data: 'x' } } })
    const before = await settled('loregraph_http_requests_total{route="recordEvent",status="2xx"}', 1)
    for (let i = 0; i < ASKED; i += 50) {
      const graphs = Array.from({ length: 50 }, (_, j) => (j % 20 === 0 ? 'g' : `graph-${i + j}`))
      await Promise.all(graphs.map(ask))
    }
    const found = asked.get(200) ?? 0
    const missing = asked.get(404) ?? 0
    expect(found + missing).toBe(ASKED)
    const after = await settled(
      'loregraph_http_request_duration_seconds_count{route="browseContexts"}',
      ASKED,
    )
    expect(after.get('loregraph_http_requests_total{route="browseContexts",status="2xx"}')).toBe(found)
    expect(after.get('loregraph_http_requests_total{route="browseContexts",status="4xx"}')).toBe(missing)
    expect(after.get('loregraph_http_problems_total{code="graph_not_found"}')).toBe(missing)
    expect(after.get('loregraph_http_request_duration_seconds_count{route="browseContexts"}')).toBe(ASKED)
    expect(
      after.get('loregraph_http_request_duration_seconds_bucket{le="+Inf",route="browseContexts"}'),
    ).toBe(ASKED)
    expect([...after.keys()].filter((name) => name.includes('graph-'))).toEqual([])
    const ours = (series: Map<string, number>) =>
      [...series.keys()].filter((name) => name.startsWith('loregraph_')).length
    expect(ours(after) - ours(before)).toBeLessThan(15)
  }, 120_000)

  test('E4: every operation, page and kind of refusal together: fewer than 400 series, nothing named by a client', async () => {
    const methods = ['GET', 'POST', 'DELETE', 'PUT', 'OPTIONS', 'HEAD']
    const paths = [
      '/',
      '/explorer/assets/named-by-me.js',
      '/livez',
      '/readyz',
      '/docs',
      '/docs/named-by-me',
      '/docs/problems/named-by-me',
      '/openapi.yaml',
      '/openapi.json',
      '/nowhere-of-mine',
      '/%zz',
    ]
    for (const path of [...new Set(server.contract.operations.map(({ path }) => path))])
      paths.push(path.replace(/\{\w+\}/g, 'named-by-me'), path.replace(/\{\w+\}/g, '%20'))
    for (const path of paths)
      for (const method of methods)
        for (const authorization of [`Bearer ${server.secret}`, 'Bearer wrong', ''])
          await server.fetch(path, {
            method,
            headers: { Authorization: authorization, Accept: method === 'HEAD' ? 'text/x-mine' : '*/*' },
            ...(method === 'POST' && { body: '{"named_by_me":1}' }),
          })
    const series = await scrape()
    expect(series.size).toBeGreaterThan(150)
    expect(series.size).toBeLessThan(400)
    expect([...series.keys()].filter((name) => /mine|named|wrong|%/.test(name))).toEqual([])
  })

  test('E4: requests under way and waiting are told, and the process is', async () => {
    const series = await scrape()
    for (const name of [
      'loregraph_http_requests_under_way',
      'loregraph_http_requests_waiting',
      'process_cpu_seconds_total',
      'process_resident_memory_bytes',
      'nodejs_eventloop_lag_p99_seconds',
    ])
      expect(series.has(name), name).toBe(true)
  })

  test('counters that are looked up rise as what they look at does', async () => {
    const metrics = createMetrics()
    let count = 3
    metrics.counter('some_total', 'Some.', () => count)
    expect(await metrics.text()).toContain('\nsome_total 3\n')
    count = 5
    expect(await metrics.text()).toContain('\nsome_total 5\n')
  })
})

describe('who may read the metrics', () => {
  test('this machine may, but not a proxy on it for somebody else', async () => {
    for (const header of ['Forwarded', 'X-Forwarded-For', 'X-Real-IP', 'Via']) {
      const response = await fetch(`${server.url}/metrics`, { headers: { [header]: '192.0.2.1' } })
      await expectProblem(response, 404, 'not_found')
    }
  })

  test.each([
    ['public', 200],
    ['off', 404],
  ] as const)('%s: %i', async (metricsReaders, status) => {
    const other = await startTestServer({ metricsReaders })
    try {
      const headers = { 'X-Forwarded-For': '192.0.2.1' }
      expect((await fetch(`${other.url}/metrics`, { headers })).status).toBe(status)
      expect((await fetch(`${other.url}/metrics`)).status).toBe(status)
    } finally {
      await other.stop()
    }
  })
})
