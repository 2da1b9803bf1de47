import pg from 'pg'
import { expect, test, vi } from 'vitest'
import { createDatabase, describePostgres, openStore } from '../../support/postgres.js'
import { startTestServer } from '../../support/server.js'
import { at, event } from '../support.js'

describePostgres('an answer from PostgreSQL', () => {
  test('is of one moment: one transaction for each request', async () => {
    const database = await createDatabase()
    const store = await openStore(database.url)
    await store.append(
      'g',
      ['one', 'two', 'three'].map((text) => event('decision:port', `the port is ${text}`)),
      at,
    )
    const server = await startTestServer({ store })
    const query = vi.spyOn(pg.Client.prototype, 'query')
    const begun = async (path: string, json?: object) => {
      const before = query.mock.calls.length
      expect((await server.fetch(path, json === undefined ? {} : { json })).status).toBe(200)
      const asked = query.mock.calls.slice(before).map(([first]: readonly unknown[]) => String(first))
      return asked.filter((text) => text.startsWith('BEGIN')).length
    }
    const question = { graph_id: 'g', task: 'Which port is it?' }
    expect(await begun('/v1/memories/insights', question)).toBe(1)
    const within = { ...question, context_types: { decision: [] } }
    expect(await begun('/v1/memories/insights', within)).toBe(1)
    expect(await begun('/v1/memories', { graph_id: 'g', query: 'port' })).toBe(1)
    expect(await begun('/v1/contexts/g/decision/port')).toBe(1)
    query.mockRestore()
    await server.stop()
    await store.close()
    await database.drop()
  })
})
