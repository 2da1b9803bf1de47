import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeSecret } from '../../src/domain/secret.js'
import { authenticator } from '../../src/http/steps/auth.js'
import { hashSecret } from '../../src/store/hash-secret.js'
import { startTestServer, type TestServer } from '../support/server.js'
import { scaled } from './support/scale.js'
import { tell } from './support/tell.js'

const SAMPLES = scaled(20_000, 100_000)
const BATCH = 10
/** Beyond this, times differ by more than chance makes them. */
const MOST_T = 4.5
/** A collection of garbage or another process says nothing about secrets. */
const SHARE_KEPT = 0.9

type Check = (secret: string) => Promise<unknown>

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

describe('C11: how long a wrong secret takes says nothing about the right one', () => {
  const root = makeSecret(randomBytes)
  const createAuthenticate = () =>
    authenticator({ rootHash: hashSecret(root), keys: server.store.keys, now: () => new Date() }).authenticate

  test(`C11: ${SAMPLES} wrong secrets, those that begin like the root's among others`, async () => {
    const t = await leastOf(createAuthenticate(), root)
    tell('C11', `beside the root's secret t = ${t.toFixed(2)} over ${SAMPLES} wrong ones`)
    expect(Math.abs(t)).toBeLessThan(MOST_T)
  })

  test(`C11: ${SAMPLES} wrong secrets, those that begin like a key's among others`, async () => {
    const { secret } = await server.key({})
    const t = await leastOf(createAuthenticate(), secret)
    tell('C11', `beside a key's secret t = ${t.toFixed(2)} over ${SAMPLES} wrong ones`)
    expect(Math.abs(t)).toBeLessThan(MOST_T)
  })

  test('C11: a check that stops at the first wrong character would be seen', async () => {
    const careless = async (secret: string) => {
      let i = 0
      while (i < secret.length && secret.charCodeAt(i) === root.charCodeAt(i)) i++
      return i === secret.length ? 'right' : 'wrong'
    }
    expect(Math.abs(await compare(careless, root))).toBeGreaterThan(MOST_T)
  })
})

/** A leak shows every time, while a busy machine may now and then look like one. */
async function leastOf(check: Check, right: string): Promise<number> {
  let least = await compare(check, right)
  for (let i = 0; i < 2 && Math.abs(least) >= MOST_T; i++) {
    const again = await compare(check, right)
    if (Math.abs(again) < Math.abs(least)) least = again
  }
  return least
}

/** Welch's t of the times of secrets that are almost right beside those of others, taken in random order. */
async function compare(check: Check, right: string): Promise<number> {
  const times = { near: [] as number[], far: [] as number[] }
  const likes = [right, makeSecret(randomBytes)].map((secret) => Buffer.from(secret))
  for (let i = 0; i < SAMPLES; i++) {
    const kind = randomBytes(1)[0] ?? 0
    const isNear = kind < 128
    const secrets = Array.from({ length: BATCH }, () => wrong(likes[isNear ? 0 : 1]))
    const began = process.hrtime.bigint()
    for (const secret of secrets) await check(secret)
    const took = Number(process.hrtime.bigint() - began)
    // The first are slower, until the code is compiled.
    if (i > SAMPLES / 10) times[isNear ? 'near' : 'far'].push(took)
  }
  const all = [...times.near, ...times.far].sort((a, b) => a - b)
  const longest = all[Math.floor(all.length * SHARE_KEPT)] ?? 0
  const [near, far] = [times.near, times.far].map((list) => spread(list.filter((time) => time <= longest)))
  if (near === undefined || far === undefined) throw new Error('There are no times.')
  return (near.mean - far.mean) / Math.sqrt(near.variance / near.count + far.variance / far.count)
}

/**
 * Begins like the given one. Those that are almost right and the others are made in the same steps: what was done to
 * memory before the clock starts shows in the time after it.
 */
function wrong(like = Buffer.alloc(0)): string {
  const secret = Buffer.from(like)
  secret.write(randomBytes(6).toString('base64url'), secret.length - 8)
  return secret.toString('latin1')
}

function spread(list: readonly number[]) {
  const count = list.length
  const mean = list.reduce((sum, time) => sum + time, 0) / count
  const variance = list.reduce((sum, time) => sum + (time - mean) ** 2, 0) / (count - 1)
  return { count, mean, variance }
}
