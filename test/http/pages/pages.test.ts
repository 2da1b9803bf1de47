import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { docsCsp } from '../../../src/http/pages/docs.js'
import { expectProblem } from '../../support/problem.js'
import { startTestServer, type TestServer } from '../../support/server.js'

let server: TestServer
let unready: string | undefined
const html = '<html><script>one()</script><script type="module">two()</script></html>'
beforeAll(async () => {
  server = await startTestServer({
    docs: async () => new Map([['index.html', html]]),
    unready: () => unready,
  })
})
afterAll(() => server.stop())

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(server.url + path, { headers, redirect: 'manual' })

describe('E1: probes', () => {
  test('ready: both 200', async () => {
    for (const path of ['/livez', '/readyz']) {
      const response = await get(path)
      expect(response.status).toBe(200)
      expect(await response.json()).toEqual({ status: 'ok' })
    }
  })

  test('not ready: alive, and 503 with the reason', async () => {
    unready = 'The service is stopping.'
    expect((await get('/livez')).status).toBe(200)
    const response = await get('/readyz')
    expect(response.headers.get('retry-after')).toBe('1')
    expect((await expectProblem(response, 503, 'not_ready')).detail).toBe(unready)
    unready = undefined
  })
})

describe('the contract and its documentation', () => {
  test('/openapi.yaml is the file, /openapi.json the same as JSON', async () => {
    const yaml = await get('/openapi.yaml')
    expect(yaml.headers.get('content-type')).toBe('application/yaml; charset=utf-8')
    const text = await yaml.text()
    expect(text).toBe(server.contract.yaml)
    expect(await (await get('/openapi.json')).json()).toEqual(parse(text))
    const etag = yaml.headers.get('etag') ?? ''
    expect((await get('/openapi.yaml', { 'If-None-Match': etag })).status).toBe(304)
  })

  test('/docs runs its own scripts and nothing from elsewhere', async () => {
    const response = await get('/docs')
    expect(await response.text()).toBe(html)
    const policy = response.headers.get('content-security-policy') ?? ''
    expect(policy).toBe(docsCsp(html))
    expect(policy).toContain("default-src 'none'")
    expect(policy.match(/'sha256-[A-Za-z0-9+/=]+'/g)).toHaveLength(2)
    expect(policy).not.toMatch(/https?:|\*|script-src[^;]*unsafe/)
  })
})

test('pages that could not be read are read again for the next who asks', async () => {
  let reads = 0
  const docs = async () => {
    reads++
    if (reads === 1) throw new Error('The disk did not answer.')
    return new Map([['index.html', html]])
  }
  const other = await startTestServer({ docs })
  try {
    const ask = async () => (await fetch(`${other.url}/docs`)).status
    expect([await ask(), await ask(), await ask(), reads]).toEqual([500, 200, 200, 2])
  } finally {
    await other.stop()
  }
})
