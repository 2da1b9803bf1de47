import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describePostgres } from '../../support/postgres.js'
import { add, textsOf, useLog } from './support.js'

const POOL = 5
const GRAPHS = ['a', 'b', 'c', 'd', 'e', 'f']

describePostgres('while graphs are locked by another process', () => {
  const bench = useLog({ poolSize: POOL, connectionTimeout: 1_000 })
  let other: pg.Client
  beforeAll(async () => {
    for (const graph of GRAPHS) await add(bench.log, graph, 'one')
    other = new pg.Client({ connectionString: bench.database.url })
    await other.connect()
  })
  afterAll(() => other.end())

  test('E5: reads are answered, writes wait, and those that get no connection are refused within the timeout', async () => {
    await other.query('BEGIN; SELECT 1 FROM graphs FOR UPDATE')
    const waiting = GRAPHS.map((graph) => add(bench.log, graph, 'two').catch((error: unknown) => error))
    for (const graph of GRAPHS) expect(await textsOf(bench.log, graph)).toEqual(['one'])
    await expect.poll(() => bench.log.stats().open - bench.log.stats().idle).toBe(POOL - 1)
    expect(bench.log.stats().waiting).toBe(GRAPHS.length - (POOL - 1))
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    expect(bench.log.stats().waiting).toBe(0)
    await other.query('ROLLBACK')
    const outcomes = await Promise.all(waiting)
    const refused = outcomes.filter((outcome) => outcome instanceof Error)
    expect(refused).toHaveLength(GRAPHS.length - (POOL - 1))
    for (const error of refused)
      expect(error).toMatchObject({
        code: 'storage_unavailable',
        message: expect.stringMatching(/nothing was recorded/),
      })
  })

  test('heads that are asked for together take one connection', async () => {
    const heads = Array.from({ length: 100 }, (_, i) => bench.log.head(GRAPHS[i % 6] ?? 'a'))
    await new Promise(setImmediate)
    const { open, idle, waiting } = bench.log.stats()
    expect([open - idle, waiting]).toEqual([1, 0])
    await Promise.all(heads)
  })
})
