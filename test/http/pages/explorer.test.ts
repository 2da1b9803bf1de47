import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectProblem } from '../../support/problem.js'
import { startTestServer, type TestServer } from '../../support/server.js'
import { send } from '../../support/wire.js'

const INDEX = '<!doctype html><script type="module" src="/explorer/assets/main-1a2b.js"></script>'
const SCRIPT = 'export const answer = 42\n'.repeat(100)

let server: TestServer
let reads = 0
let isBuilt = false
beforeAll(async () => {
  server = await startTestServer({
    async explorer() {
      reads++
      if (!isBuilt) return undefined
      return new Map([
        ['index.html', INDEX],
        ['assets/main-1a2b.js', SCRIPT],
        ['assets/main-3c4d.css', 'a {}'],
      ])
    },
  })
})
afterAll(() => server.stop())

const get = (path: string, headers: Record<string, string> = {}) => fetch(server.url + path, { headers })

describe('the explorer', () => {
  test('nothing of it is read at the start; before it is built, / says so', async () => {
    expect(reads).toBe(0)
    const problem = await expectProblem(await get('/'), 404, 'not_found')
    expect(problem.detail).toBe('The explorer has not been built: run npm run build.')
  })

  test('/ is the page, asked for again each time, and read once', async () => {
    isBuilt = true
    reads = 0
    const response = await get('/')
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(response.headers.get('cache-control')).toBe('no-cache')
    expect(await response.text()).toBe(INDEX)
    const etag = response.headers.get('etag') ?? ''
    expect((await get('/', { 'If-None-Match': etag })).status).toBe(304)
    expect(reads).toBe(1)
  })

  test('its policy allows its own files and service, nothing inline, and no text as code', async () => {
    const policy = (await get('/')).headers.get('content-security-policy') ?? ''
    expect(policy.split('; ')).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self' data:",
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ])
  })

  test('files with hashed names are kept for a year, each with its type, compressed if that is wanted', async () => {
    const script = await get('/explorer/assets/main-1a2b.js')
    expect(script.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(script.headers.get('vary')).toBe('Accept-Encoding')
    expect(await script.text()).toBe(SCRIPT)
    const style = await get('/explorer/assets/main-3c4d.css')
    expect(style.headers.get('content-type')).toBe('text/css; charset=utf-8')
    const plain = await get('/explorer/assets/main-1a2b.js', { 'Accept-Encoding': 'identity' })
    expect(plain.headers.get('content-encoding')).toBeNull()
    for (const encoding of ['gzip', 'br']) {
      const packed = await get('/explorer/assets/main-1a2b.js', { 'Accept-Encoding': encoding })
      expect(packed.headers.get('content-encoding')).toBe(encoding)
      expect(Number(packed.headers.get('content-length'))).toBeLessThan(SCRIPT.length / 10)
      expect(await packed.text()).toBe(SCRIPT)
    }
  })

  test.each(['main-9z9z.js', '', '../index.html', '..%2Findex.html', 'main-1a2b.js/'])(
    '404: /explorer/assets/%s',
    async (name) => {
      const { status } = await send(server.port, {
        method: 'GET',
        target: `/explorer/assets/${name}`,
        headers: {},
      })
      expect(status).toBe(404)
    },
  )
})
