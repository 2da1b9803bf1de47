import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type * as EngineModule from '../../src/domain/insight/engine.js'
import type * as RecallModule from '../../src/domain/insight/recall.js'
import type { NewMemory } from '../../src/domain/model.js'
import { parseNameQuery } from '../../src/domain/names.js'
import { TextCache } from '../../src/domain/text-cache.js'
import { readLexicon } from '../../src/service/load-lexicon.js'
import type * as JsonModule from '../../src/store/json/store.js'
import type * as PostgresModule from '../../src/store/postgres/store.js'
import type { Store } from '../../src/store/store.js'
import { PostgresServer } from '../../test/support/postgres-server.js'
import { type LabelledEvent, readGraphs, toNewMemory } from '../quality/graphs.js'
import { interleave, promised, type Row, timingOf } from './measure.js'
import { Retold } from './retold.js'

/** What is measured is what ships: the build, which has the shape of its source. */
const built = (path: string) => import(new URL(`../../dist/${path}.js`, import.meta.url).href)
const { openJsonStore } = (await built('store/json/store')) as typeof JsonModule
const { openPostgresStore } = (await built('store/postgres/store')) as typeof PostgresModule
const { conclude } = (await built('domain/insight/engine')) as typeof EngineModule
const { recall } = (await built('domain/insight/recall')) as typeof RecallModule

const GRAPH = 'retold'
const BATCH = 1000
/** How many batches are measured, and before them how many events on their own. */
const BATCHES = 20
const SINGLE = 100
const DURABLE = [
  'shared_buffers=1GB',
  'max_wal_size=4GB',
  'synchronous_commit=on',
  'checkpoint_timeout=15min',
]
const log = { info() {}, warn() {}, error: console.error }
const texts = new TextCache()
const chance = { now: () => new Date(), randomBytes, log, texts }
/** The most milliseconds that are promised of PostgreSQL at a million memories. */
const MOST: Readonly<Record<string, number>> = { 'insight, p95': 250, 'batch of 1,000, p50': 400 }
/** Reads by name may cost so many times as much when there is ten times as much to read from. */
const BY_NAME = ['listContexts', 'getContext', 'search']
const MOST_GROWTH = 3

/** Both stores beside each other, on graphs of real sentences of several sizes. */
export async function benchPostgres(sizes: readonly number[]): Promise<Row[]> {
  const server = await PostgresServer.create(DURABLE)
  try {
    const retold = new Retold(await readGraphs())
    const rows: Row[] = []
    for (const size of sizes)
      rows.push(...(await benchSize(server.url(), retold, size, sizes.at(-1) === size)))
    return [...rows, ...growth(rows, sizes)]
  } finally {
    await server.remove()
  }
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
    return promised(
      { what: `${what}, growth`, subject, value, unit: '×' },
      `≤ ${MOST_GROWTH}`,
      value <= MOST_GROWTH,
    )
  })
}

function subjectOf(store: string, size: number): string {
  return `${store}, ${size.toLocaleString('en')}`
}

async function benchSize(url: string, retold: Retold, size: number, isLargest: boolean): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'loregraph-bench-'))
  const stores: Record<string, Store> = {
    JSON: await openJsonStore({ folder, memoryBudget: 16 * 1024 ** 3, ...chance }),
    PostgreSQL: await openPostgresStore({ url, ...chance }),
  }
  const graph = `${GRAPH}-${size}`
  // The form of what is told again is that of the original.
  const eventAt = (index: number): NewMemory => toNewMemory(retold.event(index) as LabelledEvent)
  const rows: Row[] = []
  for (const [name, store] of Object.entries(stores)) {
    const start = performance.now()
    for (let i = 0; i < size; i += BATCH)
      await store.append(
        graph,
        Array.from({ length: BATCH }, (_, j) => eventAt(i + j)),
        String,
      )
    const seconds = (performance.now() - start) / 1000
    console.error(`${name}: ${size} memories in ${Math.round(seconds)} s`)
    rows.push({ what: 'load', subject: subjectOf(name, size), value: seconds, unit: 's' })
  }
  await settle(url)
  for (const [what, { run, rounds, each }] of Object.entries(await questions(graph, size, eventAt, retold))) {
    const subjects = Object.fromEntries(
      Object.entries(stores).map(([name, store]) => [name, () => run(store, name)]),
    )
    const times = await interleave(subjects, rounds, each)
    for (const [name, samples] of times) {
      const { p50, p95 } = timingOf(samples)
      for (const [mark, value] of Object.entries({ p50, p95 })) {
        const row = { what: `${what}, ${mark}`, subject: subjectOf(name, size), value, unit: 'ms' }
        const most = isLargest && name === 'PostgreSQL' ? MOST[row.what] : undefined
        rows.push(most === undefined ? row : promised(row, `≤ ${most}`, value <= most))
      }
    }
  }
  for (const store of Object.values(stores)) await store.close()
  await rm(folder, { recursive: true, force: true })
  return rows
}

interface Question {
  readonly run: (store: Store, name: string) => Promise<unknown>
  readonly rounds: number
  readonly each: number
}

async function questions(
  graph: string,
  size: number,
  eventAt: (index: number) => NewMemory,
  retold: Retold,
): Promise<Record<string, Question>> {
  const engine = { lexicon: await readLexicon(), texts }
  const counts = new Map<string, number>()
  /** Both stores are asked the same things, each of them in turn. */
  const next = (what: string, name: string) => {
    const count = counts.get(`${what} ${name}`) ?? 0
    counts.set(`${what} ${name}`, count + 1)
    return count
  }
  const batches = Array.from({ length: BATCHES }, (_, i) =>
    Array.from({ length: BATCH }, (_, j) => eventAt(size + SINGLE + i * BATCH + j)),
  )
  const someContext = (count: number) => eventAt((count * 7919) % size).contextId
  const typeOf = (id: string) => id.slice(0, id.indexOf(':'))
  const paging = { page: 0, pageSize: 100 }
  return {
    recordEvent: {
      run: (store, name) => store.append(graph, [eventAt(size + next('event', name))], String),
      rounds: SINGLE / 5,
      each: 5,
    },
    'batch of 1,000': {
      run: (store, name) => store.append(graph, batches[next('batch', name)] ?? [], String),
      rounds: BATCHES,
      each: 1,
    },
    listContexts: {
      run: (store, name) =>
        store.read(graph, async (reader) =>
          reader.contextsOfType(typeOf(someContext(next('list', name))), paging),
        ),
      rounds: 20,
      each: 5,
    },
    getContext: {
      run: (store, name) =>
        store.read(graph, async (reader) => reader.contextMemories(someContext(next('get', name)), paging)),
      rounds: 20,
      each: 5,
    },
    search: {
      run(store, name) {
        const words = someContext(next('search', name)).split(/[:_]/)
        const query = parseNameQuery(words.slice(1, 3).join(' '))
        return store.read(graph, async (reader) => reader.searchContexts(query, paging))
      },
      rounds: 20,
      each: 5,
    },
    recall: {
      run: (store, name) =>
        store.read(graph, (reader) =>
          recall(reader, engine, { query: retold.task(next('recall', name) * 7), limit: 5 }),
        ),
      rounds: 20,
      each: 5,
    },
    insight: {
      run: (store, name) =>
        store.read(graph, (reader) =>
          conclude(reader, engine, { task: retold.task(next('insight', name) * 11), limit: 5 }),
        ),
      rounds: 20,
      each: 5,
    },
  }
}
