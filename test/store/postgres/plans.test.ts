import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { parseNameQuery } from '../../../src/domain/names.js'
import { queryTerms } from '../../../src/domain/search/text-analysis.js'
import type { PostgresStore } from '../../../src/store/postgres/store.js'
import { vectorOf, WordMeaning } from '../../support/meaning.js'
import { createDatabase, describePostgres, openStore, type TestDatabase } from '../../support/postgres.js'
import { ask, at, contradicts, event, exported, extending, FIRST, reinforces } from '../support.js'

const MEMORIES = 6000
/** Tables that have few rows however large the graphs are, or that are read as a whole because all of it is asked for. */
const SMALL = new Set([
  'graphs',
  'readings',
  'keys',
  'settings',
  'done_once',
  'context_types',
  'schema_version',
  'erasures',
  'imports',
  'import_slices',
  'pg_database',
])

const FEW = [
  ['supersessions', `'mem_' || i, 'mem_' || i + 1`],
  ['disputes', `'mem_' || i, 'mem_' || i + 1`],
  ['records_against', `'skill:name_' || i % 1500, i, 'mem_' || i`],
  ['joined', `'mem_' || i, 'contradiction', 'mem_' || i + 1, i`],
  ['memory_links', 'i, i + 1'],
  ['claim_versions', `'mem_' || i, i, NULL, NULL, NULL, NULL`],
  ['superseded_once', `'mem_' || i, 'mem_' || i + 1`],
  ['dispute_changes', `'mem_' || i, 'mem_' || i + 1, i, true`],
  ['totals', `i, 1, 1, ''`],
  ['relation_sightings', `i, 'related-to', i, i`],
  [
    'sightings',
    `i, i - 1, 2, NULL, '2025-01-01T00:00:00.000Z', i, 'agent', '2025-01-01T00:00:00.000Z', NULL, NULL, NULL, 1`,
  ],
] as const

interface Plan {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Index Cond'?: string
  readonly Plans?: readonly Plan[]
}

describePostgres('plans', () => {
  let database: TestDatabase
  let store: PostgresStore
  beforeAll(async () => {
    database = await createDatabase()
    store = await openStore(database.url, { poolSize: 4, meaning: await WordMeaning.create() })
    for (let i = 0; i < MEMORIES; i += 1000)
      for (const graph of ['g', 'h'])
        await store.append(
          graph,
          Array.from({ length: 1000 }, (_, j) => memory(i + j)),
          at,
        )
    // Statements about memories are few in these graphs; in another one they are many.
    for (const [table, columns] of FEW)
      await database.query(
        `INSERT INTO ${table} SELECT 'other', ${columns} FROM generate_series(1, 20000) AS i`,
      )
    await vi.waitFor(async () => expect(await store.unread()).toEqual(new Map()), 60_000)
    await database.query('VACUUM ANALYZE')
  }, 120_000)
  afterAll(async () => {
    await store.close()
    await database.drop()
  })

  test('no operation reads the whole of a large table: every statement goes by an index, from graph_id on', async () => {
    const asked = await statementsOf(async () => {
      const [receipt] = await store.append('g', [memory(MEMORIES)], at, { key: 'k', body: 'b' })
      const memoryId = receipt?.memoryId ?? ''
      await store.append('g', [memory(MEMORIES), event('skill:x', 'again', contradicts(memoryId))], at)
      await ask(store, 'g').contextTypes(FIRST)
      await ask(store, 'g').contextsOfType('skill', { page: 3, pageSize: 20 })
      await ask(store, 'g').searchContexts(parseNameQuery('name_77'), FIRST)
      await ask(store, 'g').searchContexts(parseNameQuery('7'), FIRST)
      await ask(store, 'g').context('skill:name_7')
      await ask(store, 'g').contextMemories('skill:name_7', FIRST)
      await ask(store, 'g').relationships('skill:name_7', {})
      await ask(store, 'g').memory(memoryId)
      const scope = { types: ['tool'], contextIds: ['skill:name_7'] }
      for (const terms of [queryTerms('cache entries 77'), queryTerms('cache')])
        for (const within of [{}, { scope }, { scope: { types: [], contextIds: ['skill:name_7'] } }])
          await ask(store, 'g').retrieve({ terms, limit: 20, ...within })
      await ask(store, 'g').latest(scope, 20)
      await ask(store, 'g').latest({ types: [], contextIds: ['skill:name_7'] }, 20)
      await ask(store, 'g').weigh(['cach', 'entri'])
      await ask(store, 'g').neighbours([memoryId])
      await store.read('g', async (graph) => graph.memories([memoryId]))
      await store.read('g', async (graph) => graph.recordsAgainst([memoryId]))
      await store.read('g', async (graph) => [
        await graph.neighbourhood('skill:name_7', { depth: 2, limit: 20 }),
        await graph.disputes(FIRST),
        await graph.stale(FIRST),
        await graph.counts(),
        await graph.history(memoryId, FIRST),
        await graph.highlights(20),
      ])
      await store.caughtUp('g')
      await store.unread()
      await store.unread(['g', 'h'])
      for (const within of [{}, { scope }])
        await store.read('g', async (graph) =>
          graph.nearest({ vector: vectorOf('cache'), limit: 20, ...within }),
        )
      await store.read('g', async (graph) => [await graph.vectors([memoryId]), await graph.unread()])
      await store.readAt('g', { place: MEMORIES / 2 }, async (graph) => [
        await graph.contextTypes(FIRST),
        await graph.contextsOfType('skill', FIRST),
        await graph.retrieve({ terms: queryTerms('cache entries 77'), limit: 20 }),
        await graph.relationships('skill:name_7', {}),
        await graph.contextMemories('skill:name_7', FIRST),
      ])
      await store.erase('g', { memoryId }, { dryRun: true })
      await store.erase('g', { contextId: 'skill:name_7' }, { dryRun: true })
      await exported(store, 'g')
    })
    expect(asked.size).toBeGreaterThan(40)
    expect(await wrongOf([...asked.values()])).toEqual([])
  }, 120_000)

  test('nothing that an erasure does reads the whole of a large table', async () => {
    const { items } = await ask(store, 'h').contextMemories('skill:name_7', FIRST)
    const memoryId = items[0]?.memoryId ?? ''
    const naming = [
      event('skill:name_7', 'again', contradicts(memoryId)),
      event('skill:name_8', 'beside', { links: [{ kind: 'related-to', target: memoryId }] }),
    ]
    await store.append('h', [...naming, ...naming], at, { key: 'k', body: 'b' })
    const asked = await statementsOf(async () => {
      await store.erase('h', { memoryId }, { dryRun: false })
    })
    expect(asked.size).toBeGreaterThan(30)
    expect(await wrongOf([...asked.values()])).toEqual([])
  }, 120_000)

  test('nothing that recording does reads the whole of a large table, planned without a look at the graph', async () => {
    const [first] = await store.append('g', [memory(1)], at)
    const memoryId = first?.memoryId ?? ''
    const asked = await statementsOf(async () => {
      const links = [...contradicts(memoryId).links, ...extending('skill:name_9', 'skill:new').links]
      const events = [event('skill:name_8', 'a link of each kind', { links }), memory(2)]
      await store.append('g', [...events, ...events], at, { key: 'l', body: 'b' })
    })
    expect(asked.size).toBeGreaterThan(20)
    // Values are looked at where they are told.
    const unseen = Array.from(asked.values(), ({ name, text }) => ({ name, text }))
    expect(await wrongOf(unseen)).toEqual([])
  }, 120_000)

  /** What of these statements reads more than it should, as sentences. */
  async function wrongOf(asked: readonly Prepared[]): Promise<string[]> {
    const wrong: string[] = []
    for (const { text, values } of asked)
      for (const node of nodesOf(await planOf(text, values))) {
        const table = node['Relation Name']
        if (node['Node Type'] === 'Seq Scan' && table !== undefined && !SMALL.has(table))
          wrong.push(`Seq Scan on ${table}: ${text}`)
        if (node['Node Type'].startsWith('Index') && node['Index Name']?.startsWith('keys') === false)
          if (!/graph_id = |secret_hash|key_id|import_id/.test(node['Index Cond'] ?? ''))
            wrong.push(`${node['Index Name']} without graph_id: ${text}`)
      }
    return wrong
  }

  async function planOf(text: string, values: readonly unknown[] | undefined): Promise<Plan> {
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    try {
      await client.query(
        `BEGIN; SET LOCAL jit = off; SET LOCAL loregraph.seq = ${MEMORIES / 2}; SET LOCAL loregraph.place = ${MEMORIES / 2}`,
      )
      const { rows } = await (values === undefined
        ? client.query(`EXPLAIN (GENERIC_PLAN, FORMAT JSON) ${text}`)
        : client.query(`EXPLAIN (FORMAT JSON) ${text}`, [...values]))
      return rows[0]['QUERY PLAN'][0].Plan
    } finally {
      await client.query('ROLLBACK').finally(() => client.end())
    }
  }
})

/** Every statement that is prepared while `work` runs, by name, with the values that it was last asked with. */
async function statementsOf(work: () => Promise<void>) {
  const asked = new Map<string, Prepared>()
  const query = vi.spyOn(pg.Client.prototype, 'query')
  try {
    await work()
    for (const [config] of query.mock.calls) {
      if (isPrepared(config)) asked.set(config.name, config)
    }
  } finally {
    query.mockRestore()
  }
  return asked
}

interface Prepared {
  readonly name: string
  readonly text: string
  readonly values?: readonly unknown[]
}

/** What we prepare is asked for by name, with its text and its values. */
function isPrepared(config: unknown): config is Prepared {
  return typeof config === 'object' && config !== null && 'name' in config && 'text' in config
}

function nodesOf(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]
}

function memory(i: number) {
  const context = `${i % 5 === 0 ? 'tool' : 'skill'}:name_${i % 1500}`
  const links = [
    ...(i % 10 === 0 ? extending(`skill:name_${(i * 7) % 1500}`).links : []),
    ...(i % 50 === 0 ? contradicts(`skill:name_${(i * 3) % 1500}`).links : []),
    ...(i % 30 === 0 ? reinforces(`skill:name_${(i * 11) % 1500}`).links : []),
  ]
  return event(context, `the cache number ${i} holds ${i % 97} entries of kind ${i % 13}`, { links })
}
