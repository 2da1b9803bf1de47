import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { PostgresServer } from '../../test/support/postgres-server.js'
import { readGraphs } from '../quality/graphs.js'
import { interleave, promised, type Row, timingOf } from './measure.js'
import { askAll } from './questions.js'
import { GRAPH, type Service, startService } from './service.js'
import { SyntheticGraphs } from './synthetic-graphs.js'
import { giveVectors, giveVectorsIn } from './vectors.js'

const DURABLE = [
  'shared_buffers=1GB',
  'max_wal_size=4GB',
  'synchronous_commit=on',
  'checkpoint_timeout=15min',
]
/** The most milliseconds that are promised of PostgreSQL at a million memories. */
const MOST: Readonly<Record<string, number>> = { 'insight, p95': 120, 'batch of 1,000, p50': 400 }
/** The most seconds until a graph of so many memories answers its first question, in a new process. */
const MAX_OPEN = new Map([
  [200_000, 8],
  [1_000_000, 40],
])
/** A write may take so many times as long as the database takes for a row. */
const MAX_WRITE = 2.5
/** Reads by name may cost so many times as much when there is ten times as much to read from. */
const BY_NAME = ['listContexts', 'getContext', 'search']
const MAX_GROWTH = 3

/** Services on a data folder and on PostgreSQL beside each other, over HTTP, with graphs of real sentences and made-up vectors. */
export async function benchPostgres(sizes: readonly number[], rounds: number): Promise<Row[]> {
  const graphs = new SyntheticGraphs(await readGraphs())
  const rows: Row[] = []
  for (const size of sizes) rows.push(...(await benchSize(graphs, size, rounds, sizes.at(-1) === size)))
  return [...rows, ...growth(rows, sizes)]
}

async function benchSize(
  graphs: SyntheticGraphs,
  size: number,
  rounds: number,
  isLargest: boolean,
): Promise<Row[]> {
  const server = await PostgresServer.create(DURABLE)
  const folder = await mkdtemp(join(tmpdir(), 'loregraph-bench-'))
  const env = { files: { LOREGRAPH_DATA: folder }, PostgreSQL: { DATABASE_URL: server.url() } }
  const rows: Row[] = []
  const sides: Record<string, Service> = {}
  try {
    for (const [name, where] of Object.entries(env)) {
      const service = await startService({ env: { ...where, LOREGRAPH_MEANING: 'off' } })
      const start = performance.now()
      await service.fill((i) => graphs.event(i), size)
      const seconds = (performance.now() - start) / 1000
      rows.push({ what: 'load', subject: subjectOf(name, size), value: seconds, unit: 's' })
      await service.stop()
    }
    await giveVectors(folder)
    await giveVectorsIn(server.url())
    await settle(server.url())
    for (const [name, where] of Object.entries(env)) {
      const service = await startService({ env: where })
      sides[name] = service
      const start = performance.now()
      await service.sendOnceOpen(`/v1/contexts/${GRAPH}`)
      const seconds = (performance.now() - start) / 1000
      const row = { what: 'open', subject: subjectOf(name, size), value: seconds, unit: 's' }
      const most = name === 'PostgreSQL' ? MAX_OPEN.get(size) : undefined
      rows.push(most === undefined ? row : promised(row, `≤ ${most}`, seconds <= most))
    }
    for (const [kind, bySide] of await askAll(sides, graphs, size, rounds))
      for (const [name, { times }] of bySide) {
        const { p50, p95 } = timingOf(times)
        for (const [mark, value] of Object.entries({ p50, p95 })) {
          const row = { what: `${kind}, ${mark}`, subject: subjectOf(name, size), value, unit: 'ms' }
          const most = isLargest && name === 'PostgreSQL' ? MOST[row.what] : undefined
          rows.push(most === undefined ? row : promised(row, `≤ ${most}`, value <= most))
        }
      }
    rows.push(...(await beside(rows, server.url(), size)))
    return rows
  } finally {
    for (const service of Object.values(sides)) await service.stop()
    await server.remove()
    await rm(folder, { recursive: true, force: true })
  }
}

/** One reading and one write beside the least that a database can be asked for. */
async function beside(rows: readonly Row[], url: string, size: number): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
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
  await client.end()
  const p50 = (what: string) => timingOf(bare.get(what) ?? []).p50
  const at = (what: string, name: string) =>
    rows.find((row) => row.what === `${what}, p50` && row.subject === subjectOf(name, size))?.value ?? 0
  const [select, inserted] = [p50('select'), p50('insert')]
  const more = at('getContext', 'PostgreSQL') - at('getContext', 'files')
  const times = at('recordEvent', 'PostgreSQL') / inserted
  const subject = subjectOf('PostgreSQL', size)
  return [
    { what: 'bare SELECT, p50', subject, value: select, unit: 'ms' },
    { what: 'bare INSERT and COMMIT, p50', subject, value: inserted, unit: 'ms' },
    promised(
      { what: 'getContext, p50, more than on files', subject, value: more, unit: 'ms' },
      '≤ a SELECT',
      more <= select,
    ),
    promised(
      { what: 'recordEvent, p50 ÷ INSERT and COMMIT', subject, value: times, unit: '×' },
      `≤ ${MAX_WRITE}`,
      times <= MAX_WRITE,
    ),
  ]
}

/** What autovacuum would do in the minutes after a load, in which it and the questions would wait for the same disk. */
async function settle(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('VACUUM (ANALYZE)')
  await client.query('CHECKPOINT')
  await client.end()
}

function growth(rows: readonly Row[], sizes: readonly number[]): Row[] {
  const [before, after] = sizes.slice(-2)
  if (before === undefined || after !== 10 * before) return []
  return BY_NAME.map((what) => {
    const at = (size: number) =>
      rows.find((row) => row.what === `${what}, p50` && row.subject === subjectOf('PostgreSQL', size))
        ?.value ?? 0
    const value = at(after) / at(before)
    const subject = `PostgreSQL, ${before.toLocaleString('en')} to ${after.toLocaleString('en')}`
    const row = { what: `${what}, growth`, subject, value, unit: '×' }
    return promised(row, `≤ ${MAX_GROWTH}`, value <= MAX_GROWTH)
  })
}

function subjectOf(store: string, size: number): string {
  return `${store}, ${size.toLocaleString('en')}`
}
