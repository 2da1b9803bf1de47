import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pictureCsp } from '../../../src/http/pages/docs.js'
import { expectProblem } from '../../support/problem.js'
import { startTestServer, type TestServer } from '../../support/server.js'
import { send } from '../../support/wire.js'

const TRUST = `<!doctype html><title>Trust</title>${'<p>Who is believed.</p>'.repeat(100)}`
const PICTURE = '<svg xmlns="http://www.w3.org/2000/svg"><style>text { fill: red }</style></svg>'
const FILES = new Map([
  ['index.html', '<html><script>one()</script></html>'],
  ['trust.html', TRUST],
  ['problems.html', '<title>Problems</title>'],
  ['problems/not_found.html', '<title>No such page</title>'],
  ['pictures/trust.svg', PICTURE],
  ['style.css', 'a {}'],
])

let server: TestServer
let reads = 0
let isBuilt = false
beforeAll(async () => {
  server = await startTestServer({
    async docs() {
      reads++
      return isBuilt ? FILES : undefined
    },
  })
})
afterAll(() => server.stop())

const get = (path: string, headers: Record<string, string> = {}) => fetch(server.url + path, { headers })

describe('the pages beside the reference', () => {
  test('nothing of them is read at the start; before they are built, they say so', async () => {
    expect(reads).toBe(0)
    for (const path of ['/docs', '/docs/trust', '/docs/problems/not_found']) {
      const problem = await expectProblem(await get(path), 404, 'not_found')
      expect(problem.detail).toBe('The documentation has not been built: run npm run build.')
    }
    isBuilt = true
  })

  test.each([
    ['/docs/trust', 'trust.html', 'text/html; charset=utf-8'],
    ['/docs/problems', 'problems.html', 'text/html; charset=utf-8'],
    ['/docs/problems/not_found', 'problems/not_found.html', 'text/html; charset=utf-8'],
    ['/docs/pictures/trust.svg', 'pictures/trust.svg', 'image/svg+xml; charset=utf-8'],
    ['/docs/style.css', 'style.css', 'text/css; charset=utf-8'],
  ])('%s is %s, asked for again each time and sent again when it has changed', async (path, file, type) => {
    const response = await get(path)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe(type)
    expect(response.headers.get('cache-control')).toBe('no-cache')
    expect(response.headers.get('vary')).toBe('Accept-Encoding')
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(await response.text()).toBe(FILES.get(file))
    const again = await get(path, { 'If-None-Match': response.headers.get('etag') ?? '' })
    expect(again.status).toBe(304)
    expect(await again.text()).toBe('')
  })

  test('they are read once, whatever is asked', async () => {
    await get('/docs/trust')
    reads = 0
    for (const path of ['/docs', '/docs/trust', '/docs/style.css', '/docs/nowhere']) await get(path)
    expect(reads).toBe(0)
  })

  test('a page has neither a script nor anything inline; a picture has its own style', async () => {
    const policy = (await get('/docs/trust')).headers.get('content-security-policy') ?? ''
    expect(policy.split('; ')).toEqual([
      "default-src 'none'",
      "style-src 'self'",
      "img-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ])
    const picture = await get('/docs/pictures/trust.svg')
    expect(picture.headers.get('content-security-policy')).toBe(pictureCsp(PICTURE))
  })

  test.each(['gzip', 'br'])('%s if that is wanted', async (encoding) => {
    const packed = await get('/docs/trust', { 'Accept-Encoding': encoding })
    expect(packed.headers.get('content-encoding')).toBe(encoding)
    expect(Number(packed.headers.get('content-length'))).toBeLessThan(TRUST.length / 5)
    expect(await packed.text()).toBe(TRUST)
  })

  test('HEAD is GET without the text', async () => {
    const target = '/docs/trust'
    const head = await send(server.port, { method: 'HEAD', target })
    expect([head.status, head.text]).toEqual([200, ''])
    const { headers } = await send(server.port, { method: 'GET', target })
    for (const name of ['content-length', 'content-type', 'etag', 'content-security-policy'])
      expect(head.headers[name], name).toBe(headers[name])
  })

  test('405: any other method, and OPTIONS says which there are', async () => {
    for (const path of ['/docs/trust', '/docs/problems/not_found']) {
      const refused = await fetch(server.url + path, { method: 'POST' })
      expect(refused.headers.get('allow')).toBe('GET, HEAD, OPTIONS')
      await expectProblem(refused, 405, 'method_not_allowed')
      const options = await fetch(server.url + path, { method: 'OPTIONS' })
      expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS'])
    }
  })

  test.each(['nope', 'Not_Found', 'not_found/', 'not_found.html', '', '..%2Ftrust'])(
    '404: no problem has the code "%s"',
    async (code) => {
      const problem = await expectProblem(await get(`/docs/problems/${code}`), 404, 'not_found')
      expect(problem.detail).toBe('There is no problem with this code. /docs/problems lists those there are.')
    },
  )

  test.each([
    '/docs/',
    '/docs/index',
    '/docs/index.html',
    '/docs/trust.html',
    '/docs/../trust',
    '/docs/Trust',
  ])('404: %s', async (target) => {
    const { status } = await send(server.port, { method: 'GET', target })
    expect(status).toBe(404)
  })
})
