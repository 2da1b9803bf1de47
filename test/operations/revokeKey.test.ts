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
    const lesser = await api.server.key({ graphs: ['b'] })
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

describe('400 Bad Request', () => {
  test('what is no id of a key, root included', async () => {
    for (const key_id of ['root', 'x', NOBODY.toLowerCase(), `${NOBODY}0`, NOBODY.replace('key', 'mem')]) {
      const { body } = await api.refused('revokeKey', { path: { key_id } }, 400, 'invalid_request')
      expect(body.errors?.[0]?.path).toBe('/path/key_id')
    }
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
