import { describe, expect, test } from 'vitest'
import { linksOf, MOMENT, useApi } from '../support/api.js'
import { describeRefusals } from '../support/refusals.js'

const ids: string[] = []
const api = useApi(async ({ server }) => {
  ids.push((await server.key({ name: 'one', scopes: ['read'], graphs: ['a'] })).key_id)
  ids.push((await server.key({ name: 'two', scopes: ['write'], expires_at: '2099-01-01T00:00:00Z' })).key_id)
  ids.push((await server.key({ name: 'three', scopes: ['admin'], graphs: ['a', 'b'] })).key_id)
})

describe('200: the keys', () => {
  test('the oldest first, without their secrets', async () => {
    expect((await api.ok('listKeys', {})).body).toEqual({
      keys: [
        {
          key_id: ids[0],
          name: 'one',
          scopes: ['read'],
          graphs: ['a'],
          created_by: 'root',
          created_at: MOMENT,
        },
        {
          key_id: ids[1],
          name: 'two',
          scopes: ['write'],
          created_by: 'root',
          created_at: MOMENT,
          expires_at: '2099-01-01T00:00:00.000Z',
        },
        {
          key_id: ids[2],
          name: 'three',
          scopes: ['admin'],
          graphs: ['a', 'b'],
          created_by: 'root',
          created_at: MOMENT,
        },
      ],
      total: 3,
      page: 0,
      page_size: 100,
    })
  })

  test('each with the key that it was made with, also when that was revoked, and after a restart', async () => {
    const maker = await api.server.key({ scopes: ['read', 'admin'] })
    const body = { name: 'child', scopes: ['read'] }
    const child = (await api.ok('createKey', { body, headers: maker.headers }, 201)).body
    expect(child.created_by).toBe(maker.key_id)
    await api.ok('revokeKey', { path: { key_id: maker.key_id } }, 204)
    await api.server.restart()
    const { keys } = (await api.ok('listKeys', {})).body
    expect(keys.find(({ key_id }) => key_id === child.key_id)?.created_by).toBe(maker.key_id)
    await api.ok('revokeKey', { path: { key_id: child.key_id } }, 204)
  })

  test('a page at a time, with links', async () => {
    const answer = await api.ok('listKeys', { query: { page: 1, page_size: 1 } })
    expect(answer.body).toMatchObject({ keys: [{ key_id: ids[1] }], total: 3, page: 1, page_size: 1 })
    expect(linksOf(answer)['next']).toBe('/v1/keys?page=2&page_size=1')
    expect((await api.ok('listKeys', { query: { page: 9 } })).body).toMatchObject({ keys: [], total: 3 })
  })

  test('C1: a pinned key sees only keys within its graphs', async () => {
    const pinned = await api.server.key({ scopes: ['admin'], graphs: ['a'] })
    const { keys, total } = (await api.ok('listKeys', { headers: pinned.headers })).body
    expect(keys.map(({ key_id }) => key_id)).toEqual([ids[0], pinned.key_id])
    expect(total).toBe(2)
    expect((await api.call('revokeKey', { path: { key_id: pinned.key_id } })).status).toBe(204)
  })
})

describeRefusals(api, 'listKeys', () => ({}))
