import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Key } from '../../../src/domain/keys.js'
import { authenticator } from '../../../src/http/steps/auth.js'
import { hashSecret } from '../../../src/store/hash-secret.js'
import { expectProblem } from '../../support/problem.js'
import { raw } from '../../support/raw.js'
import { startTestServer, type TestServer } from '../../support/server.js'

let server: TestServer
let handled = 0
beforeAll(async () => {
  server = await startTestServer({
    handlers: {
      async listContexts() {
        handled++
        return { status: 200, body: { contexts: [], total: 0, page: 0, page_size: 100 } }
      },
    },
  })
})
afterAll(() => server.stop())

const PATH = '/v1/contexts/demo/skill'
const REALM = 'Bearer realm="loregraph"'

describe('B11: 401 as RFC 6750', () => {
  test.each([
    ['no header', undefined, REALM],
    ['another scheme', 'Basic abc', REALM],
    ['a scheme alone', 'Bearer', REALM],
    ['an empty secret', 'Bearer ', REALM],
    ['a secret without a scheme', 'abcdefgh', REALM],
    ['characters that a secret cannot have', 'Bearer a b', REALM],
    ['a wrong secret', 'Bearer wrong', `${REALM}, error="invalid_token"`],
    ['a very long secret', `Bearer ${'a'.repeat(8000)}`, `${REALM}, error="invalid_token"`],
  ])('%s', async (_name, header, challenge) => {
    handled = 0
    const response = await fetch(
      server.url + PATH,
      header === undefined ? {} : { headers: { Authorization: header } },
    )
    expect(response.headers.get('www-authenticate')).toBe(challenge)
    await expectProblem(response, 401, 'unauthorized')
    expect(handled).toBe(0)
  })

  test('the right secret, in any spelling of the scheme', async () => {
    for (const scheme of ['Bearer', 'bearer', 'BEARER', 'Bearer  '])
      expect(
        (await server.fetch(PATH, { headers: { Authorization: `${scheme} ${server.secret}` } })).status,
      ).toBe(200)
  })

  test('a secret that is one character off, longer or shorter', async () => {
    const flip = server.secret.endsWith('A') ? 'B' : 'A'
    for (const secret of [server.secret.slice(0, -1) + flip, `${server.secret}A`, server.secret.slice(0, -1)])
      await expectProblem(await server.fetch(PATH, { headers: { Authorization: `Bearer ${secret}` } }), 401)
  })

  test('two Authorization headers are refused, not guessed between', async () => {
    const line = `Authorization: Bearer ${server.secret}\r\n`
    const answer = await raw(
      server.port,
      `GET ${PATH} HTTP/1.1\r\nHost: x\r\n${line}${line}Connection: close\r\n\r\n`,
    )
    expect(answer.status).toBe(400)
  })

  test('401 comes before 400, 406, 413 and 415, and on every operation', async () => {
    for (const { method, path } of server.contract.operations) {
      const response = await fetch(server.url + path.replace(/\{\w+\}/g, 'x'), {
        method,
        headers: { Accept: 'text/csv', 'Content-Type': 'text/plain' },
        ...(method === 'POST' && { body: 'x'.repeat(2_000_000) }),
      })
      await expectProblem(response, 401)
    }
    expect((await fetch(`${server.url + PATH}?page=x`)).status).toBe(401)
  })

  test('the secret never reaches the log, nor does a wrong one', async () => {
    await server.fetch(PATH)
    await fetch(server.url + PATH, { headers: { Authorization: 'Bearer a-wrong-secret' } })
    const log = JSON.stringify(server.lines)
    expect(log).not.toContain(server.secret)
    expect(log).not.toContain('a-wrong-secret')
  })
})

describe('B11: keys', () => {
  let now = Date.now()
  let own: TestServer
  beforeAll(async () => {
    own = await startTestServer({ now: () => new Date(now) })
  })
  afterAll(() => own.stop())
  const ask = (headers: Record<string, string>) => own.fetch('/v1/graphs', { headers })

  test('a key that has expired is refused with a sentence that says so', async () => {
    const expires_at = new Date(now + 60_000).toISOString()
    const { headers } = await own.key({ expires_at })
    expect((await ask(headers)).status).toBe(200)
    now += 59_999
    expect((await ask(headers)).status).toBe(200)
    now += 1
    const response = await ask(headers)
    expect(response.headers.get('www-authenticate')).toBe(`${REALM}, error="invalid_token"`)
    expect((await expectProblem(response, 401, 'unauthorized')).detail).toBe(
      `The secret expired at ${expires_at}. Ask for a new one.`,
    )
  })

  test('a key that was mistyped is refused with a sentence that says so; an unknown one with another', async () => {
    const { secret } = await own.key({})
    const mistyped = secret.slice(0, 20) + (secret.charAt(20) === 'A' ? 'B' : 'A') + secret.slice(21)
    const detail = async (it: string) =>
      (await expectProblem(await ask({ Authorization: `Bearer ${it}` }), 401)).detail
    expect(await detail(mistyped)).toMatch(/mistyped/)
    expect(await detail('lore_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh-RJn6K')).toMatch(/not known/)
    expect(await detail('something-else')).toMatch(/not known/)
  })

  test('403 insufficient_scope names the scope; it comes before the graph, and both before the body', async () => {
    const reader = await own.key({ scopes: ['read'], graphs: ['mine'] })
    const response = await own.fetch('/v1/events', { json: { nonsense: true }, headers: reader.headers })
    expect(response.headers.get('www-authenticate')).toBe(
      `${REALM}, error="insufficient_scope", scope="write"`,
    )
    await expectProblem(response, 403, 'insufficient_scope')
    const other = await own.fetch('/v1/contexts/other?page=x', { headers: reader.headers })
    await expectProblem(other, 403, 'graph_forbidden')
  })
})

test('only the secret whose hash is known is let in', async () => {
  const keys = { find: async () => undefined }
  const { authenticate } = authenticator({ rootHash: hashSecret('right'), keys, now: () => new Date() })
  expect(await authenticate('right')).toEqual({ keyId: 'root', scopes: ['read', 'write', 'admin'] })
  expect(await authenticate('wrong')).toMatch(/^The secret is not known/)
  expect(await authenticate('')).toMatch(/^The secret is not known/)
})

test('a key is known by its secret from when that was good until it is not, the root always', async () => {
  const found = new Map([[hashSecret('good').toString('hex'), { keyId: 'key_1' } as Key]])
  const keys = { find: async (hash: string) => found.get(hash) }
  const { authenticate, knownKey } = authenticator({
    ...{ rootHash: hashSecret('root'), keys, now: () => new Date() },
  })
  expect(['root', 'good', 'bad'].map(knownKey)).toEqual(['root', undefined, undefined])
  for (const secret of ['good', 'bad']) await authenticate(secret)
  expect(['root', 'good', 'bad'].map(knownKey)).toEqual(['root', 'key_1', undefined])
  found.clear()
  await authenticate('good')
  expect(knownKey('good')).toBeUndefined()
})

test('C11: a key is found by the SHA-256 of its secret, and the root by its own', async () => {
  const asked: string[] = []
  const keys = { find: async (hash: string) => void asked.push(hash) }
  const { authenticate } = authenticator({ rootHash: hashSecret('root'), keys, now: () => new Date() })
  await authenticate('root')
  await authenticate('lore_x')
  expect(asked).toEqual([createHash('sha256').update('lore_x').digest('hex')])
})
