import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { networkOf, rateLimits } from '../../../src/http/load/rate-limits.js'
import { TokenBuckets } from '../../../src/http/load/token-buckets.js'
import { expectProblem } from '../../support/problem.js'
import { startTestServer, type TestServer } from '../../support/server.js'

const QUOTA = 20
const WINDOW = 10
/** The secrets of keys that may read, by name. */
const secrets = new Map<string, string>()

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ rateLimits: rateLimits({ quota: QUOTA, windowSeconds: WINDOW }) })
  for (const name of ['one', 'two', 'three', 'four']) secrets.set(name, (await server.key({})).secret)
  await server.fetch('/v1/events', { json: { graph_id: 'g', event_kind: 'fact', payload: { data: 'x' } } })
})
afterAll(() => server.stop())

const ask = (secret: string, path = '/v1/contexts/g', init: RequestInit = {}) =>
  fetch(server.url + path, {
    ...init,
    headers: { ...init.headers, Authorization: `Bearer ${secrets.get(secret) ?? secret}` },
  })

/** `"requests";r=3;t=1` as numbers. */
function stateOf({ headers }: Response): { r: number; t: number } {
  const [, r, t] = /^"requests";r=(\d+);t=(\d+)$/.exec(headers.get('ratelimit') ?? '') ?? []
  return { r: Number(r), t: Number(t) }
}

describe('B15: rate limits', () => {
  test('B15: what is left counts down, then 429 with Retry-After, and waiting that long succeeds', async () => {
    const left: number[] = []
    let refused: Response | undefined
    for (let i = 0; i < QUOTA + 25 && refused === undefined; i++) {
      const response = await ask('one')
      expect(response.headers.get('ratelimit-policy')).toBe(`"requests";q=${QUOTA};w=${WINDOW}`)
      if (response.status === 429) refused = response
      else left.push(stateOf(response).r)
    }
    expect(left[0]).toBe(QUOTA - 1)
    expect(left.length).toBeGreaterThanOrEqual(QUOTA)
    // A token may come back on the way, never more than one at a time at this pace.
    for (const [i, r] of left.entries()) if (i > 0) expect((left[i - 1] ?? 0) - r).toBeLessThanOrEqual(1)
    if (refused === undefined) throw new Error('Nothing was refused.')
    const after = Number(refused.headers.get('retry-after'))
    expect(after).toBeGreaterThanOrEqual(1)
    expect(stateOf(refused)).toEqual({ r: 0, t: after })
    const { detail } = await expectProblem(refused, 429, 'too_many_requests')
    expect(detail).toBe('This key may make 20 requests in 10 seconds. Try again in 1 second.')
    await sleep(after * 1000)
    expect((await ask('one')).status).toBe(200)
  })

  test('B15: each key has its own, the root secret has none', async () => {
    expect(stateOf(await ask('two')).r).toBe(QUOTA - 1)
    for (let i = 0; i < QUOTA + 5; i++) {
      const response = await ask(server.secret)
      expect(response.status).toBe(200)
      expect(response.headers.get('ratelimit')).toBeNull()
    }
    expect((await ask('two')).status).toBe(200)
  })

  test('B15: every answer to a known key says what is left: 200, 304, 400, 403, 404', async () => {
    const { headers } = await ask('three')
    const known = { 'If-None-Match': headers.get('etag') ?? '' }
    for (const [status, path, init] of [
      [200, '/v1/contexts/g', {}],
      [304, '/v1/contexts/g', { headers: known }],
      [400, '/v1/contexts/g?page=x', {}],
      [403, '/v1/events', { method: 'POST' }],
      [404, '/v1/contexts/none', {}],
    ] as const) {
      const response = await ask('three', path, init)
      expect(response.status).toBe(status)
      expect(stateOf(response).r, path).toBeLessThan(QUOTA)
    }
  })

  test('B15: what needs no secret is not limited', async () => {
    for (let i = 0; i < QUOTA * 2; i++) expect((await fetch(`${server.url}/livez`)).status).toBe(200)
  })
})

describe('C12: wrong secrets', () => {
  test('C12: of 1,000 the 20th at the latest is told to wait; those who know a secret notice nothing', async () => {
    const statuses: number[] = []
    for (let i = 0; i < 1_000; i++) {
      const response = await ask(`wrong-${i}`)
      statuses.push(response.status)
      if (response.status === 429) expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
      await response.arrayBuffer()
      if (i % 100 === 0) expect((await ask(server.secret)).status).toBe(200)
    }
    const first = statuses.indexOf(429)
    expect(first).toBeGreaterThan(5)
    expect(first).toBeLessThan(20)
    expect(statuses.filter((status) => status === 401).length).toBeLessThan(60)
    expect(new Set(statuses)).toEqual(new Set([401, 429]))
    expect((await ask('four')).status).toBe(200)
    // Sending none is no guess.
    await expectProblem(await fetch(`${server.url}/v1/contexts/g`), 401, 'unauthorized')
  }, 120_000)

  test('C12: without a limit for keys, that for wrong secrets stays', async () => {
    const open = await startTestServer({ rateLimits: rateLimits(undefined) })
    const statusOf = async (secret: string) =>
      (await open.fetch('/v1/graphs', { headers: { Authorization: `Bearer ${secret}` } })).status
    const statuses: number[] = []
    for (let i = 0; i < 20; i++) statuses.push(await statusOf(`wrong-${i}`))
    expect(new Set(statuses)).toEqual(new Set([401, 429]))
    const { secret } = await open.key({})
    for (let i = 0; i < 40; i++) expect(await statusOf(secret)).toBe(200)
    await open.stop()
  })
})

describe('the buckets', () => {
  test('fill at their rate, to the brim and no further', () => {
    let now = 0
    const buckets = new TokenBuckets({ quota: 3, windowSeconds: 30 }, () => now)
    expect([1, 2, 3, 4].map(() => buckets.take('a').admitted)).toEqual([true, true, true, false])
    expect(buckets.take('a')).toEqual({ admitted: false, remaining: 0, seconds: 10 })
    now = 9_500
    expect(buckets.take('a')).toEqual({ admitted: false, remaining: 0, seconds: 1 })
    now = 10_000
    expect(buckets.take('a').admitted).toBe(true)
    now = 1_000_000
    expect([1, 2, 3, 4].map(() => buckets.take('a').admitted)).toEqual([true, true, true, false])
  })

  test('are bounded in number, whatever names come', () => {
    const buckets = new TokenBuckets({ quota: 3, windowSeconds: 30 }, () => 0, 100)
    for (let i = 0; i < 10_000; i++) buckets.take(`name-${i}`)
    expect(buckets.size).toBe(100)
  })

  test('drop the one that was used least recently: a busy key stays limited, whoever comes', () => {
    const buckets = new TokenBuckets({ quota: 2, windowSeconds: 30 }, () => 0, 2)
    const admitted = ['busy', 'busy', 'busy', 'x', 'busy', 'y', 'busy'].map(
      (name) => buckets.take(name).admitted,
    )
    expect(admitted).toEqual([true, true, false, true, false, true, false])
    expect(buckets.take('x').remaining).toBe(1)
  })

  test.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:db8::6', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
    ['', ''],
  ])('the network of %s is %s', (address, network) => expect(networkOf(address)).toBe(network))
})
