import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import pg from 'pg'
import { openPostgresLog } from '../../src/log/postgres/log.js'
import { PostgresServer } from '../../test/support/postgres-server.js'
import { readGraphs } from '../quality/graphs.js'
import { atMost, interleave, promised, type Row, timingOf } from './measure.js'
import { askAll } from './questions.js'
import { GRAPH, type Service, startService } from './service.js'
import { SyntheticGraphs } from './synthetic-graphs.js'
import { filledFolder, giveVectors } from './vectors.js'

const DURABLE = [
  'shared_buffers=1GB',
  'max_wal_size=4GB',
  'synchronous_commit=on',
  'checkpoint_timeout=15min',
]
/** The most milliseconds that are promised of PostgreSQL at a million memories. */
const MAX_MS: Readonly<Record<string, number>> = { 'insight, p95': 120, 'batch of 1,000, p50': 400 }
/** A write may take so many times as long as the database takes for a row. */
const MAX_WRITE = 2.5
/** Reads by name may cost so many times as much when there is ten times as much to read from. */
const BY_NAME = ['listContexts', 'getContext', 'search']
const MAX_GROWTH = 3

/** Services on a data folder and on PostgreSQL beside each other, over HTTP, with graphs of real sentences and made-up vectors. */
export async function benchPostgres(sizes: readonly number[], rounds: number): Promise<Row[]> {
  const graphs = new SyntheticGraphs(await readGraphs())
  const rows: Row[] = []
  for (const size of sizes) rows.push(...(await benchSize(graphs, size, rounds)))
  return [...rows, ...growth(rows, sizes)]
}

async function benchSize(graphs: SyntheticGraphs, size: number, rounds: number): Promise<Row[]> {
  const server = await PostgresServer.create(DURABLE)
  const url = server.url()
  const client = new pg.Client({ connectionString: url })
  const folder = await filledFolder(graphs, size)
  const sides: Record<string, Service> = {}
  const rows: Row[] = []
  try {
    const filling = await startService({ env: { DATABASE_URL: url, LOREGRAPH_MEANING: 'off' } })
    await filling.fill((i) => graphs.event(i), size)
    await filling.stop()
    await giveVectors(await openPostgresLog({ url, randomBytes, log: console }))
    await client.connect()
    // What autovacuum would do in the minutes after a load, in which it and the questions would wait for the same disk.
    await client.query('VACUUM (ANALYZE)')
    await client.query('CHECKPOINT')
    for (const [name, env] of Object.entries({
      files: { LOREGRAPH_DATA: folder },
      PostgreSQL: { DATABASE_URL: url },
    })) {
      const service = await startService({ env })
      sides[name] = service
      await service.sendOnceOpen(`/v1/contexts/${GRAPH}`)
    }
    for (const [kind, bySide] of await askAll(sides, graphs, size, rounds))
      for (const [name, { times }] of bySide) {
        const { p50, p95 } = timingOf(times)
        for (const [figure, value] of Object.entries({ p50, p95 })) {
          const what = `${kind}, ${figure}`
          const limit = size === 1_000_000 && name === 'PostgreSQL' ? MAX_MS[what] : undefined
          rows.push(atMost({ what, subject: subjectOf(name, size), value, unit: 'ms' }, limit))
        }
      }
    return [...rows, ...(await beside(rows, client, size))]
  } finally {
    await client.end()
    for (const service of Object.values(sides)) await service.stop()
    await server.remove()
    await rm(folder, { recursive: true, force: true })
  }
}

/** One reading and one write beside the least that a database can be asked for. */
async function beside(rows: readonly Row[], client: pg.Client, size: number): Promise<Row[]> {
  await client.query('CREATE TABLE bare (id int PRIMARY KEY, text text)')
  let id = 0
  const text = 'x'.repeat(400)
  const bare = await interleave(
    {
      insert: () => client.query('INSERT INTO bare VALUES ($1, $2)', [id++, text]),
      select: () => client.query('SELECT text FROM bare WHERE id = $1', [id - 1]),
    },
    60,
    5,
  )
  const usual = (what: string) => timingOf(bare.get(what) ?? []).p50
  const [select, inserted] = [usual('select'), usual('insert')]
  const more = p50Of(rows, 'getContext', 'PostgreSQL', size) - p50Of(rows, 'getContext', 'files', size)
  const times = p50Of(rows, 'recordEvent', 'PostgreSQL', size) / inserted
  const row = (what: string, value: number, unit = 'ms') => ({
    ...{ what, subject: subjectOf('PostgreSQL', size), value, unit },
  })
  return [
    row('bare SELECT, p50', select),
    row('bare INSERT and COMMIT, p50', inserted),
    promised(row('getContext, p50, more than on files', more), '≤ a SELECT', more <= select),
    atMost(row('recordEvent, p50 ÷ INSERT and COMMIT', times, '×'), MAX_WRITE),
  ]
}

function growth(rows: readonly Row[], sizes: readonly number[]): Row[] {
  const [before, after] = sizes.slice(-2)
  if (before === undefined || after !== 10 * before) return []
  const subject = `PostgreSQL, ${before.toLocaleString('en')} to ${after.toLocaleString('en')}`
  return BY_NAME.map((what) => {
    const value = p50Of(rows, what, 'PostgreSQL', after) / p50Of(rows, what, 'PostgreSQL', before)
    return atMost({ what: `${what}, growth`, subject, value, unit: '×' }, MAX_GROWTH)
  })
}

function p50Of(rows: readonly Row[], what: string, store: string, size: number): number {
  const subject = subjectOf(store, size)
  return rows.find((row) => row.what === `${what}, p50` && row.subject === subject)?.value ?? 0
}

function subjectOf(store: string, size: number): string {
  return `${store}, ${size.toLocaleString('en')}`
}
