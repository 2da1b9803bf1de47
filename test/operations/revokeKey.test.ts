import { describe, expect, test } from 'vitest'
import { useApi } from '../support/api.js'
import { describeRefusals } from '../support/refusals.js'

const api = useApi(async (it) => {
  await it.record({ payload: { text: 'first' } })
})

const NOBODY = 'key_01KJPZ6C3RS6ACV2ZXG3FQ2E8Q'
const demo = { graph_id: 'demo' }

describe('204: revoked', () => {
  test('C12: in force at once and after a restart; others are not concerned', async () => {
    const gone = await api.server.key({})
    const stays = await api.server.key({})
    await api.ok('browseContexts', { path: demo, headers: gone.headers })
    const answer = await api.ok('revokeKey', { path: { key_id: gone.key_id } }, 204)
    expect(answer.text).toBe('')
    const refused = () =>
      api.refused('browseContexts', { path: demo, headers: gone.headers }, 401, 'unauthorized')
    expect((await refused()).body.detail).toMatch(/revoked/)
    await api.server.restart()
    await refused()
    await api.ok('browseContexts', { path: demo, headers: stays.headers })
    const { keys } = (await api.ok('listKeys', {})).body
    expect(keys.map(({ key_id }) => key_id)).not.toContain(gone.key_id)
  })

  test('C12: during traffic no request that was sent after the answer gets through', async () => {
    const { key_id, headers } = await api.server.key({})
    let revoked = false
    const late: number[] = []
    const statuses = new Set<number>()
    const traffic = Array.from({ length: 20 }, async () => {
      for (let i = 0; i < 50; i++) {
        const after = revoked
        const { status } = await api.server.fetch('/v1/contexts/demo', { headers })
        statuses.add(status)
        if (after) late.push(status)
      }
    })
    await new Promise((resolve) => setTimeout(resolve, 100))
    await api.ok('revokeKey', { path: { key_id } }, 204)
    revoked = true
    await Promise.all(traffic)
    expect(new Set([...late, (await api.server.fetch('/v1/contexts/demo', { headers })).status])).toEqual(
      new Set([401]),
    )
    expect(statuses).toContain(200)
  })

  test('a pinned key revokes what reaches no further than it does, itself included; the audit says who', async () => {
    const pinned = await api.server.key({ scopes: ['admin'], graphs: ['a', 'b'] })
    const lesser = await api.server.key({ scopes: ['admin'], graphs: ['b'] })
    const { headers } = pinned
    const answer = await api.ok('revokeKey', { path: { key_id: lesser.key_id }, headers }, 204)
    expect(api.server.lines).toContainEqual(
      expect.objectContaining({
        msg: 'audit',
        id: answer.headers['x-request-id'],
        key: pinned.key_id,
        revoked: lesser.key_id,
      }),
    )
    await api.ok('revokeKey', { path: { key_id: pinned.key_id }, headers }, 204)
    await api.refused('listKeys', { headers }, 401, 'unauthorized')
  })
})

describe('204: revoked with_descendants', () => {
  const scopes: ('read' | 'admin')[] = ['read', 'admin']
  async function made(headers: Readonly<Record<string, string>>) {
    const { key_id, secret } = (await api.ok('createKey', { body: { name: 'x', scopes }, headers }, 201)).body
    return { key_id, headers: { Authorization: `Bearer ${secret}` } }
  }
  const works = async ({ headers }: { headers: Readonly<Record<string, string>> }) =>
    (await api.server.fetch('/v1/graphs', { headers })).status === 200

  test('C12: every key that was made with it goes, through others too; without, they stay', async () => {
    const leaked = await api.server.key({ scopes })
    const other = await api.server.key({ scopes })
    const child = await made(leaked.headers)
    const grandchild = await made(child.headers)
    // Whoever holds the leaked key may hide one of its keys behind another that is gone.
    await api.ok('revokeKey', { path: { key_id: child.key_id }, headers: child.headers }, 204)
    await api.ok('revokeKey', { path: { key_id: leaked.key_id } }, 204)
    expect(await works(grandchild)).toBe(true)
    const query = { with_descendants: 'true' }
    const answer = await api.ok('revokeKey', { path: { key_id: leaked.key_id }, query }, 204)
    expect(await works(grandchild)).toBe(false)
    expect(await works(other)).toBe(true)
    const id = answer.headers['x-request-id']
    expect(api.server.lines.filter((line) => line['msg'] === 'audit' && line['id'] === id)).toMatchObject([
      { key: 'root', revoked: grandchild.key_id },
    ])
    await api.refused('revokeKey', { path: { key_id: leaked.key_id }, query }, 404, 'key_not_found')
  })

  test('one line of the audit for each key', async () => {
    const maker = await api.server.key({ scopes })
    const children = [await made(maker.headers), await made(maker.headers)]
    const query = { with_descendants: 'true' }
    const { headers } = await api.ok('revokeKey', { path: { key_id: maker.key_id }, query }, 204)
    const lines = api.server.lines.filter(
      (line) => line['msg'] === 'audit' && line['id'] === headers['x-request-id'],
    )
    expect(lines.map((line) => line['revoked'])).toEqual([maker, ...children].map(({ key_id }) => key_id))
  })
})

describe('403 Forbidden', () => {
  test('C2: a key cannot revoke one that holds more than it does, and that one lives on', async () => {
    const soon = new Date(Date.now() + 3_600_000).toISOString()
    const limited = await api.server.key({
      ...{ scopes: ['read', 'admin'], graphs: ['a'], sources: ['agent'], expires_at: soon },
    })
    const within = { graphs: ['a'], sources: ['agent' as const], expires_at: soon }
    for (const more of [
      { ...within, scopes: ['write' as const] },
      { ...within, sources: ['agent' as const, 'validator' as const] },
      { ...within, sources: undefined },
      { ...within, expires_at: undefined },
    ]) {
      const parts = Object.entries({ scopes: ['read'] as const, ...more }).filter(
        ([, it]) => it !== undefined,
      )
      const stronger = await api.server.key(Object.fromEntries(parts))
      for (const query of [{}, { with_descendants: 'true' }]) {
        const call = { path: { key_id: stronger.key_id }, query, headers: limited.headers }
        const { body } = await api.refused('revokeKey', call, 403, 'beyond_own_key')
        expect(body.errors?.[0]?.path).toBe('/path/key_id')
      }
      expect((await api.server.fetch('/v1/keys/self', { headers: stronger.headers })).status).toBe(200)
    }
    const lesser = await api.server.key({ ...within, scopes: ['read'] })
    await api.ok('revokeKey', { path: { key_id: lesser.key_id }, headers: limited.headers }, 204)
  })
})

describe('404 Not Found', () => {
  test('a key that does not exist, or does no longer', async () => {
    await api.refused('revokeKey', { path: { key_id: NOBODY } }, 404, 'key_not_found')
    const { key_id } = await api.server.key({})
    await api.ok('revokeKey', { path: { key_id } }, 204)
    await api.refused('revokeKey', { path: { key_id } }, 404, 'key_not_found')
  })

  test('C1: a key out of reach answers to the byte like one that does not exist, and lives on', async () => {
    const { headers } = await api.server.key({ scopes: ['admin'], graphs: ['a'] })
    const ask = async (key_id: string) => {
      const answer = await api.refused(
        'revokeKey',
        { path: { key_id }, headers: { ...headers, 'X-Request-Id': 'same' } },
        404,
        'key_not_found',
      )
      return answer.text.replaceAll(key_id, 'ID')
    }
    for (const graphs of [undefined, ['b'], ['a', 'b']]) {
      const other = await api.server.key(graphs === undefined ? {} : { graphs })
      expect(await ask(other.key_id)).toBe(await ask(NOBODY))
      expect((await api.server.fetch('/v1/graphs', { headers: other.headers })).status).toBe(200)
    }
  })
})

describeRefusals(api, 'revokeKey', () => ({ path: { key_id: NOBODY } }))
