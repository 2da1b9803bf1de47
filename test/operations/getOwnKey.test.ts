import { describe, expect, test } from 'vitest'
import { MOMENT, useApi } from '../support/api.js'
import { describeRefusals } from '../support/refusals.js'

const api = useApi()

describe('200: the key itself', () => {
  test('all that it is limited to, and no secret', async () => {
    const limits = { scopes: ['read', 'write'], graphs: ['a', 'b'], sources: ['agent'] } as const
    const { key_id, headers } = await api.server.key({
      name: 'support agent',
      scopes: [...limits.scopes],
      graphs: [...limits.graphs],
      sources: [...limits.sources],
      expires_at: '2099-01-01T00:00:00Z',
    })
    expect((await api.ok('getOwnKey', { headers })).body).toEqual({
      key_id,
      name: 'support agent',
      ...limits,
      created_by: 'root',
      created_at: MOMENT,
      expires_at: '2099-01-01T00:00:00.000Z',
    })
  })

  test('it says the same as the list of keys', async () => {
    const { key_id, headers } = await api.server.key({ name: 'listed', scopes: ['admin'] })
    const { keys } = (await api.ok('listKeys', {})).body
    expect(keys).toContainEqual((await api.ok('getOwnKey', { headers })).body)
    await api.ok('revokeKey', { path: { key_id } }, 204)
    await api.refused('getOwnKey', { headers }, 401, 'unauthorized')
  })

  test('the root key: every scope, no name and no limit', async () => {
    expect((await api.ok('getOwnKey', {})).body).toEqual({
      key_id: 'root',
      scopes: ['read', 'write', 'admin'],
    })
  })

  test('no other key is there under its own id', async () => {
    const { key_id } = await api.server.key({})
    const { status } = await api.server.fetch(`/v1/keys/${key_id}`)
    expect(status).toBe(405)
  })
})

describeRefusals(api, 'getOwnKey', () => ({}))
