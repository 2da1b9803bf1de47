import { describe, expect, test } from 'vitest'
import type { Input } from '../../src/contract/operations.js'
import { MAX_MAKERS } from '../../src/domain/keys.js'
import { MOMENT, useApi } from '../support/api.js'
import { KEY_ID, SECRET } from '../support/keys.js'
import { describeRefusals } from '../support/refusals.js'

const api = useApi(async (it) => {
  await it.record({ graph_id: 'mine', payload: { text: 'first' } })
})

const good = { name: 'agent', scopes: ['read', 'write'] } as const
type KeyParts = Partial<Input<'createKey'>['body']>
const create = (parts: KeyParts, headers = {}) =>
  api.ok('createKey', { body: { ...good, ...parts }, headers }, 201)
const soon = (ms: number) => new Date(Date.now() + ms).toISOString()
const total = async () => (await api.ok('listKeys', {})).body.total

describe('201: made', () => {
  test('exactly the id, the secret and what was asked for', async () => {
    expect((await create({})).body).toEqual({
      key_id: KEY_ID,
      secret: SECRET,
      name: 'agent',
      scopes: ['read', 'write'],
      created_by: 'root',
      created_at: MOMENT,
    })
    const expires_at = '2099-01-01T01:00:00+01:00'
    const sources = ['validator', 'agent'] as const
    expect(
      (await create({ graphs: ['b', 'a'], scopes: ['admin', 'read'], sources: [...sources], expires_at }))
        .body,
    ).toEqual({
      key_id: KEY_ID,
      secret: SECRET,
      name: 'agent',
      scopes: ['read', 'admin'],
      graphs: ['b', 'a'],
      sources: ['agent', 'validator'],
      created_by: 'root',
      created_at: MOMENT,
      expires_at: '2099-01-01T00:00:00.000Z',
    })
  })

  test('a key may be pinned to a graph that does not exist yet, and start it', async () => {
    const { headers } = await api.server.key({ scopes: ['write'], graphs: ['to_come'] })
    const body = { graph_id: 'to_come', event_kind: 'fact', payload: { text: 'x' } }
    await api.ok('recordEvent', { body, headers }, 201)
  })

  test('a key can make keys that hold what it holds, or less', async () => {
    const expires_at = soon(3_600_000)
    const { headers } = await api.server.key({ scopes: ['read', 'admin'], graphs: ['a', 'b'], expires_at })
    await create({ scopes: ['read', 'admin'], graphs: ['a', 'b'], expires_at }, headers)
    await create({ scopes: ['read'], graphs: ['b'], expires_at: soon(60_000) }, headers)
    const { headers: limited } = await api.server.key({
      scopes: ['read', 'admin'],
      sources: ['agent', 'user'],
    })
    await create({ scopes: ['read'], sources: ['user'] }, limited)
  })

  test('C12: the secret is nowhere but in this answer: not in the log, not in a list; its id is in the audit', async () => {
    const answer = await create({ name: 'quiet' })
    const { secret, key_id } = answer.body
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(JSON.stringify(api.server.lines)).not.toContain(secret)
    expect((await api.ok('listKeys', {})).text).not.toContain(secret.slice(5))
    expect(api.server.lines).toContainEqual(
      expect.objectContaining({
        level: 30,
        msg: 'audit',
        id: answer.headers['x-request-id'],
        key: 'root',
        created: key_id,
      }),
    )
  })
})

describe('400 Bad Request', () => {
  test('C5: a graph that is named twice, also one named like a property of every object', async () => {
    for (const graph of ['support', '__proto__', 'constructor']) {
      const answer = await api.call('createKey', { body: { ...good, graphs: [graph, graph] } })
      expect(answer.status, answer.text).toBe(400)
      expect(answer.text).toContain('/body/graphs')
    }
  })

  test('C2: what the service decides cannot be sent', async () => {
    for (const field of ['key_id', 'secret', 'created_at', 'secret_hash', 'hash', '__proto__']) {
      const body = JSON.parse(
        JSON.stringify(good).replace('{', `{"${field}":"key_01KJPZ6C3RS6ACV2ZXG3FQ2E8Q",`),
      )
      const { body: problem } = await api.refused('createKey', { body }, 400, 'invalid_request')
      expect(problem.errors?.map(({ path }) => path)).toEqual([`/body/${field}`])
    }
  })

  test('an end that is not in the future', async () => {
    for (const expires_at of ['2020-01-01T00:00:00Z', new Date().toISOString()]) {
      const { body } = await api.refused('createKey', { body: { ...good, expires_at } }, 400, 'invalid_key')
      expect(body.errors).toEqual([{ path: '/body/expires_at', message: 'must be in the future' }])
    }
  })
})

describe('403 Forbidden', () => {
  test('C2: a key cannot give what it does not hold, and the error names the field', async () => {
    const expires_at = soon(3_600_000)
    const { headers } = await api.server.key({ scopes: ['read', 'admin'], graphs: ['a', 'b'], expires_at })
    const within: KeyParts = { scopes: ['read'], graphs: ['a'], expires_at }
    const before = await total()
    for (const [change, path] of [
      [{ scopes: ['write'] }, '/body/scopes'],
      [{ scopes: ['read', 'write', 'admin'] }, '/body/scopes'],
      [{ graphs: ['a', 'c'] }, '/body/graphs'],
      [{ graphs: undefined }, '/body/graphs'],
      [{ expires_at: undefined }, '/body/expires_at'],
      [{ expires_at: soon(7_200_000) }, '/body/expires_at'],
    ] as const) {
      const body = { ...good, ...within, ...change }
      const { body: problem } = await api.refused('createKey', { body, headers }, 403, 'beyond_own_key')
      expect(problem.errors).toEqual([{ path, message: expect.stringMatching(/^must /) }])
    }
    expect(await total()).toBe(before)
  })

  test('C2: nor a source that it may not record as', async () => {
    const { headers } = await api.server.key({ scopes: ['read', 'admin'], sources: ['agent', 'user'] })
    for (const sources of [undefined, ['validator'], ['agent', 'validator']]) {
      const body = { name: 'x', scopes: ['read'], sources }
      const { body: problem } = await api.refused('createKey', { body, headers }, 403, 'beyond_own_key')
      expect(problem.errors?.[0]?.path).toBe('/body/sources')
    }
  })
})

describe('403: as many as one key may make', () => {
  test('C12: keys make keys 10 times over', async () => {
    const parts: KeyParts = { scopes: ['admin'] }
    let headers = (await api.server.key({ scopes: ['admin'] })).headers
    for (let i = 0; i < MAX_MAKERS; i++)
      headers = { Authorization: `Bearer ${(await create(parts, headers)).body.secret}` }
    await api.refused('createKey', { body: { ...good, ...parts }, headers }, 403, 'too_many_keys')
  })
})

describeRefusals(api, 'createKey', () => ({ body: good }))
