import pg from 'pg'
import { beforeAll, expect, test, vi } from 'vitest'
import type { PastEvent } from '../../../../src/domain/events/recording.js'
import { TextCache } from '../../../../src/domain/text-cache.js'
import { Database } from '../../../../src/store/postgres/connection/database.js'
import { makeGraph } from '../../../../src/store/postgres/schema/graph-row.js'
import { fill } from '../../../../src/store/postgres/transfer/import.js'
import { describePostgres, usePostgres } from '../../../support/postgres.js'
import { SILENT } from '../../../support/silent.js'
import { at, event, exported } from '../../support.js'
import { countTurns } from '../count-turns.js'

/** About as long as an event may be. */
const LONG = 'x'.repeat(64_000)
const MANY = Array.from({ length: 200 }, (_, i) => event('skill:a', `${i} ${LONG}`))
const MOST_LETTERS = 40 * LONG.length

describePostgres('an import of long events', () => {
  const bench = usePostgres()
  let events: readonly PastEvent[]
  beforeAll(async () => {
    await bench.store.append('g', MANY, at)
    events = await exported(bench.store, 'g')
  }, 60_000)

  /** As if they had all come at once. */
  async function fillWith(graphId: string, received: readonly PastEvent[]): Promise<void> {
    const connections = new Database({ url: bench.database.url, log: SILENT })
    await connections.write(async (session) => {
      await makeGraph(session, graphId)
      await fill(session, graphId, only(received), at, new TextCache())
    })
    await connections.close()
  }

  test('hashes them in several turns of the event loop', async () => {
    const turns = countTurns()
    const readIn = new Map<number, number>()
    await fillWith(
      'hashed',
      events.map(({ payload, ...one }, i) => ({
        ...one,
        get payload() {
          if (!readIn.has(i)) readIn.set(i, turns.now())
          return payload
        },
      })),
    )
    turns.stop()
    expect(readIn.size).toBe(MANY.length)
    expect(new Set(readIn.values()).size).toBeGreaterThan(2)
  }, 60_000)

  test('records some at a time, by their letters', async () => {
    const query = vi.spyOn(pg.Client.prototype, 'query')
    await fillWith('copy', events)
    const lots = [0]
    for (const [config] of query.mock.calls as (readonly unknown[])[]) {
      const { name, values } = config as Partial<pg.QueryConfig<unknown[]>>
      if (name === 'save-graph') lots.push(0)
      if (name === 'insert-memories') lots.push((lots.pop() ?? 0) + JSON.stringify(values).length)
    }
    query.mockRestore()
    expect(Math.max(...lots)).toBeGreaterThan(LONG.length)
    expect(Math.max(...lots)).toBeLessThan(MOST_LETTERS)
    expect(await exported(bench.store, 'copy')).toEqual(events)
  }, 60_000)
})

async function* only(events: readonly PastEvent[]): AsyncGenerator<readonly PastEvent[]> {
  yield events
}
