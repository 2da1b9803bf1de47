import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describePostgres, usePostgres } from '../../../support/postgres.js'
import { ask, at, event } from '../../support.js'

const POOL = 5
const GRAPHS = ['a', 'b', 'c', 'd', 'e', 'f']
const CERTAIN = { dryRun: false }

describePostgres('while graphs are locked by another process', () => {
  const bench = usePostgres({ poolSize: POOL })
  let other: pg.Client

  beforeAll(async () => {
    for (const graph of GRAPHS)
      await bench.store.append(graph, [event('decision:port', 'the port is one'), event('a:b', 'x')], at)
    other = new pg.Client({ connectionString: bench.database.url })
    await other.connect()
  })
  afterAll(async () => {
    await other.end()
  })

  const inUse = () => bench.store.connections().open - bench.store.connections().idle

  async function locked(work: () => Promise<void>): Promise<void> {
    await other.query('BEGIN; SELECT 1 FROM graphs FOR UPDATE')
    try {
      await work()
    } finally {
      await other.query('ROLLBACK')
    }
  }

  test('E5: questions are answered, however many graphs are written to', async () => {
    const waiting: Promise<unknown>[] = []
    await locked(async () => {
      for (const graph of GRAPHS) waiting.push(bench.store.append(graph, [event('a:b', 'y')], at))
      for (const graph of GRAPHS) expect((await ask(bench.store, graph).context('a:b')).memoryCount).toBe(1)
      await expect.poll(inUse).toBe(POOL - 1)
      expect(bench.store.connections().awaited).toBe(GRAPHS.length - (POOL - 1))
    })
    await Promise.all(waiting)
  })

  test('E5: erasures and records of one graph hold one connection', async () => {
    const waiting: Promise<unknown>[] = []
    await locked(async () => {
      for (const name of ['port', 'host', 'path']) {
        waiting.push(
          bench.store.erase('a', { contextId: `decision:${name}` }, CERTAIN).catch(() => undefined),
        )
        waiting.push(bench.store.append('a', [event('a:b', `about ${name}`)], at))
      }
      await expect.poll(inUse).toBe(1)
      await ask(bench.store, 'b').context('a:b')
      await expect.poll(inUse).toBe(1)
    })
    await Promise.all(waiting)
    expect((await ask(bench.store, 'a').context('a:b')).memoryCount).toBe(5)
  })
})
