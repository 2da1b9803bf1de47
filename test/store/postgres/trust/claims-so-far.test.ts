import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { expect, test, vi } from 'vitest'
import type { Receipt } from '../../../../src/domain/model.js'
import { openFileStore } from '../../../../src/log/file-store.js'
import type { Store } from '../../../../src/store/store.js'
import { createDatabase, describePostgres, openStore } from '../../../support/postgres.js'
import { SILENT } from '../../../support/silent.js'
import { at, contradicts, event, fate, reinforces } from '../../support.js'

/** More letters than are kept in memory. */
const LONG = Array.from({ length: 90 }, (_, i) => told(i, `the limit of cache ${i % 5} is ${i} MB`))
const CONTEXTS = ['skill:c0', 'skill:c1', 'skill:c2']
const AGAINST = [
  event('skill:d', 'the limit of cache 1 is 500 MB', contradicts(...CONTEXTS)),
  event('skill:d', 'the limit of cache 2 is 87 MB', reinforces(...CONTEXTS)),
  event('skill:c0', 'the limit of cache 0 is 600 MB', { ...contradicts('skill:c0'), source: 'user' }),
]
const MOST_LETTERS = 1_200_000

describePostgres('an event that is held against long memories', () => {
  test('is decided as ever, and the memories are read some at a time', async () => {
    const database = await createDatabase()
    const store = await openStore(database.url, fate())
    const folder = await mkdtemp(join(tmpdir(), 'loregraph-'))
    const json = await openFileStore({ folder, log: SILENT, ...fate() })
    const expected = await receiptsOf(json)
    const query = vi.spyOn(pg.Client.prototype, 'query')
    const receipts = await receiptsOf(store)
    const letters = await Promise.all(query.mock.results.map(async ({ value }) => payloadsIn(await value)))
    query.mockRestore()
    await Promise.all([json.close(), store.close()])
    await rm(folder, { recursive: true, force: true })
    await database.drop()
    expect(receipts).toEqual(expected)
    expect(receipts.map(({ bearsOn }) => bearsOn.length)).toEqual([18, 1, 6])
    expect(Math.max(...letters)).toBeGreaterThan(0)
    expect(Math.max(...letters)).toBeLessThan(MOST_LETTERS)
    // No more often than there are events that are held against them.
    const total = letters.reduce((sum, some) => sum + some, 0)
    expect(total).toBeLessThan(AGAINST.length * JSON.stringify(LONG).length)
  }, 120_000)
})

async function receiptsOf(store: Store): Promise<readonly Receipt[]> {
  await store.append('g', LONG, at)
  return store.append('g', AGAINST, at)
}

function told(i: number, text: string) {
  return event(`skill:c${i % 3}`, text, { payload: { text, log: 'x'.repeat(60_000) } })
}

function payloadsIn(result: Partial<pg.QueryResult<{ payload?: string }>> | undefined): number {
  return (result?.rows ?? []).reduce((sum, { payload = '' }) => sum + payload.length, 0)
}
