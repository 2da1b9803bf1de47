import pg from 'pg'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { cosine } from '../../../src/domain/meaning/nearness.js'
import type { ContextFilter } from '../../../src/domain/search/knowledge.js'
import { MIGRATIONS } from '../../../src/store/postgres/migrations/index.js'
import { migrate } from '../../../src/store/postgres/migrations/migrate.js'
import type { PostgresStore, PostgresStoreOptions } from '../../../src/store/postgres/store.js'
import { vectorOf, WordMeaning } from '../../support/meaning.js'
import { createDatabase, describePostgres, openStore, type TestDatabase } from '../../support/postgres.js'
import { at, event, exported, inPages } from '../support.js'

const WORDS = 'cache port retry deploy friday server queue token index shard replica backup'.split(' ')
const TEXTS = Array.from({ length: 90 }, (_, i) => {
  const word = (n: number) => WORDS[n % WORDS.length] ?? ''
  return `${word(i)} ${word(3 * i + 1)} ${word(Math.floor(i / 7))} number ${i % 60}`
})
const CONTEXTS = ['skill:a', 'skill:b', 'tool:a', 'decision:x']
const EVENTS = TEXTS.map((text, i) => event(CONTEXTS[i % CONTEXTS.length] ?? '', text))
const QUESTIONS = ['cache server', 'which port does friday retry', 'backup replica number 7', 'skill a']

/** Something to wait at until it is opened. */
function gateway() {
  let resolve: () => void = () => undefined
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve: () => resolve() }
}

describePostgres('meaning on PostgreSQL', () => {
  let database: TestDatabase
  const open: PostgresStore[] = []
  beforeEach(async () => {
    database = await createDatabase()
  })
  afterEach(async () => {
    await Promise.all(open.splice(0).map((store) => store.close()))
    await database.drop()
  })

  async function start(meaning?: WordMeaning, more: Partial<PostgresStoreOptions> = {}) {
    const store = await openStore(database.url, { ...more, ...(meaning && { meaning }) })
    open.push(store)
    return store
  }

  async function stop(store: PostgresStore): Promise<void> {
    open.splice(open.indexOf(store), 1)
    await store.close()
  }

  /** Until the graph is read as far as this store knows. */
  const caughtUp = (store: PostgresStore, graph = 'g') =>
    vi.waitFor(async () => expect(await store.unread([graph])).toEqual(new Map()), {
      timeout: 30_000,
      interval: 20,
    })

  function nearest(store: PostgresStore, question: string, limit = 10, scope?: ContextFilter) {
    const near = { vector: vectorOf(question), limit, ...(scope && { scope }) }
    return store.read('g', async (graph) => (await graph.nearest(near)).map(({ text }) => text))
  }

  /** The same by comparing the question with every event. */
  function expected(question: string, limit = 10, within: (context: string) => boolean = () => true) {
    const asked = vectorOf(question)
    return EVENTS.map(({ contextId }, i) => ({ contextId, text: TEXTS[i] ?? '' }))
      .filter(({ contextId }) => within(contextId))
      .map(({ contextId, text }) => ({
        text,
        nearness: cosine(asked, vectorOf(`${contextId} text ${text}`)),
      }))
      .sort((a, b) => b.nearness - a.nearness)
      .slice(0, limit)
      .map(({ text }) => text)
  }

  const answers = (store: PostgresStore) =>
    Promise.all(QUESTIONS.map((question) => nearest(store, question, 20)))

  const rows = (table: string) => database.query(`SELECT * FROM ${table} ORDER BY graph_id`)

  test('a memory is found by what it means: nearest first, within a scope, ties by order of recording', async () => {
    const store = await start(await WordMeaning.create())
    await store.append('g', EVENTS, at)
    await caughtUp(store)
    for (const question of QUESTIONS) {
      expect(await nearest(store, question)).toEqual(expected(question))
      expect(await nearest(store, question, 5, { types: ['skill'], contextIds: [] })).toEqual(
        expected(question, 5, (context) => context.startsWith('skill:')),
      )
      expect(await nearest(store, question, 90, { types: ['tool'], contextIds: ['skill:b'] })).toEqual(
        expected(question, 90, (context) => context === 'tool:a' || context === 'skill:b'),
      )
    }
    expect(await nearest(store, 'cache', 5, { types: ['none'], contextIds: ['skill:none'] })).toEqual([])
    const twins = ['one two', 'two one', 'ONE TWO'].map((text) => event('twin:t', text))
    await store.append('g', twins, at)
    await caughtUp(store)
    expect(await nearest(store, 'twin t text one two', 3)).toEqual(['one two', 'two one', 'ONE TWO'])
  })

  test('of more codes than are compared by their bytes, those that are nearest in the scope are compared', async () => {
    const store = await start(await WordMeaning.create())
    const near = Array.from({ length: 300 }, (_, i) => event('skill:near', `cache server entry ${i}`))
    const far = Array.from({ length: 5 }, (_, i) => event('tool:far', `friday queue ${i}`))
    await store.append('g', [...near, ...far], at)
    await caughtUp(store)
    expect(await nearest(store, 'skill near cache server entry', 400)).toHaveLength(305)
    expect(await nearest(store, 'skill near cache server entry', 3)).toHaveLength(3)
    const scope = { types: [], contextIds: ['tool:far'] }
    expect(await nearest(store, 'skill near cache server entry', 10, scope)).toHaveLength(5)
  })

  test('vectors are given for what has been read, and a missing graph is said to be missing', async () => {
    const store = await start(await WordMeaning.create())
    const [first] = await store.append('g', [event('skill:a', 'cache')], at)
    await caughtUp(store)
    const memoryId = first?.memoryId ?? ''
    const found = await store.read('g', async (graph) => graph.vectors([memoryId, 'mem_none']))
    expect(found).toEqual(new Map([[memoryId, vectorOf('skill a text cache')]]))
    const near = { vector: vectorOf('cache'), limit: 3 }
    for (const question of [
      () => store.read('none', async (graph) => graph.nearest(near)),
      () => store.read('none', async (graph) => graph.vectors([memoryId])),
      () => store.read('none', async (graph) => graph.unread()),
    ])
      await expect(question()).rejects.toMatchObject({ code: 'graph_not_found' })
    await store.caughtUp('none')
  })

  test('two processes read each memory once between them, and answer alike', async () => {
    const meanings = [await WordMeaning.create(), await WordMeaning.create()] as const
    const [one, other] = [await start(meanings[0]), await start(meanings[1])]
    for (let i = 0; i < EVENTS.length; i += 6)
      await (i % 12 === 0 ? one : other).append('g', EVENTS.slice(i, i + 6), at)
    await other.append('h', EVENTS.slice(0, 40), at)
    for (const store of [one, other]) {
      await caughtUp(store)
      await store.caughtUp('h')
    }
    expect(meanings[0].read.length + meanings[1].read.length).toBe(EVENTS.length + 40)
    expect(await answers(one)).toEqual(QUESTIONS.map((question) => expected(question, 20)))
    expect(await answers(other)).toEqual(await answers(one))
  })

  test('what another process has recorded since is found, though the codes of before are in memory', async () => {
    const [one, other] = [await start(await WordMeaning.create()), await start(await WordMeaning.create())]
    await one.append('g', EVENTS.slice(0, 50), at)
    await one.caughtUp('g')
    await Promise.all([answers(one), answers(other), answers(other)])
    await other.append('g', EVENTS.slice(50), at)
    await caughtUp(one)
    expect(await answers(one)).toEqual(QUESTIONS.map((question) => expected(question, 20)))
    expect(await answers(other)).toEqual(await answers(one))
  })

  test('M1: a question right after recording waits until that is read', async () => {
    const store = await start(await WordMeaning.create())
    await store.append('g', EVENTS, at)
    await store.caughtUp('g')
    expect(await store.read('g', async (graph) => graph.unread())).toBe(0)
    await Promise.all(
      Array.from({ length: 10 }, async (_, i) => {
        await store.append('g', [event('skill:new', `quite new ${i}`)], at)
        await store.caughtUp('g')
        expect(await nearest(store, `skill new text quite new ${i}`, 1)).toEqual([`quite new ${i}`])
      }),
    )
  })

  test('200 or more that are not read make no question wait, and are read all the same', async () => {
    const meaning = await WordMeaning.create()
    const gate = gateway()
    meaning.before = () => gate.promise
    const store = await start(meaning)
    const many = Array.from({ length: 200 }, (_, i) => event('skill:a', `note ${i}`))
    await store.append('g', many, at)
    await store.append('few', many.slice(1), at)
    const before = performance.now()
    await store.caughtUp('g')
    expect(performance.now() - before).toBeLessThan(4_000)
    expect(await store.unread()).toEqual(
      new Map([
        ['g', 200],
        ['few', 199],
      ]),
    )
    expect(await store.unread(['few', 'none'])).toEqual(new Map([['few', 199]]))
    expect(await store.read('g', async (graph) => graph.unread())).toBe(200)
    expect(await nearest(store, 'note')).toEqual([])
    gate.resolve()
    await caughtUp(store)
    await caughtUp(store, 'few')
    expect(new Set(meaning.read).size).toBe(200)
    expect(meaning.read).toHaveLength(399)
  }, 120_000)

  test('reading that fails half way loses nothing, is told once, and holds up no write and no question', async () => {
    const meaning = await WordMeaning.create()
    const warned: string[] = []
    const log = { warn: (_: object, message: string) => void warned.push(message) }
    let batches = 0
    meaning.before = () => {
      batches += 1
      if (batches === 2 || batches === 3) throw new Error('no reading now')
    }
    const store = await start(meaning, { log })
    await store.append('g', EVENTS, at)
    await vi.waitFor(() => expect(batches).toBe(2), 30_000)
    const before = performance.now()
    await store.append('g', [event('skill:late', 'late')], at)
    await store.caughtUp('g')
    expect(performance.now() - before).toBeLessThan(4_000)
    expect(store.health()).toEqual({ writable: true })
    await caughtUp(store)
    expect(warned).toEqual([expect.stringMatching(/cannot be read for meaning/)])
    expect(meaning.read).toHaveLength(EVENTS.length + 1)
    expect(await nearest(store, 'cache server', 20)).toEqual(expected('cache server', 20))
  }, 120_000)

  test('M2: a process that is gone in the middle of a batch leaves it to another', async () => {
    const [gone, meaning] = [await WordMeaning.create(), await WordMeaning.create()]
    gone.before = () => new Promise(() => undefined)
    // Never closed: its batch never ends, as that of a process that was killed.
    const store = await openStore(database.url, { meaning: gone })
    await store.append('g', EVENTS, at)
    await vi.waitFor(
      async () =>
        expect(await rows('readings')).toMatchObject([{ reader: expect.not.stringMatching('^0$') }]),
      30_000,
    )
    const other = await start(meaning)
    await other.caughtUp('g')
    expect(meaning.read).toEqual([])
    await database.query(`UPDATE readings SET held_until = now() - interval '1 second'`)
    await other.caughtUp('g')
    expect(meaning.read).toHaveLength(EVENTS.length)
  }, 120_000)

  test('reopening reads nothing again, and closing leaves the rest to others at once', async () => {
    const [first, second] = [await WordMeaning.create(), await WordMeaning.create()]
    let batches = 0
    const gate = gateway()
    first.before = () => (++batches === 3 ? gate.promise : undefined)
    const store = await start(first)
    await store.append('g', EVENTS, at)
    await vi.waitFor(() => expect(batches).toBe(3), 30_000)
    const closed = stop(store)
    gate.resolve()
    await closed
    expect(first.read.length).toBe(48)
    const again = await start(second)
    await again.caughtUp('g')
    expect([...first.read, ...second.read].length).toBe(EVENTS.length)
    const third = await WordMeaning.create()
    const last = await start(third)
    expect(await answers(last)).toEqual(QUESTIONS.map((question) => expected(question, 20)))
    expect(third.read).toEqual([])
  })

  test('M3: an erasure leaves the others read and nothing of the erased; another process notices', async () => {
    const meanings = [await WordMeaning.create(), await WordMeaning.create()] as const
    const [one, other] = [await start(meanings[0]), await start(meanings[1])]
    const receipts = await one.append('g', [...EVENTS, ...EVENTS.slice(0, 20)], at)
    await one.caughtUp('g')
    await Promise.all([answers(one), answers(other)])
    const memoryId = receipts[5]?.memoryId ?? ''
    await one.erase('g', { memoryId }, { dryRun: false })
    await one.erase('g', { contextId: 'tool:a' }, { dryRun: false })
    const isLeft = (context: string) => context !== 'tool:a'
    for (const store of [one, other])
      for (const question of QUESTIONS)
        expect(await nearest(store, question, 20)).toEqual(
          expected(question, 21, isLeft)
            .filter((text) => text !== TEXTS[5])
            .slice(0, 20),
        )
    await other.append('g', [event('skill:new', 'quite new')], at)
    await other.caughtUp('g')
    for (const store of [one, other])
      expect(await nearest(store, 'skill new text quite new', 1)).toEqual(['quite new'])
    expect(meanings[0].read.length + meanings[1].read.length).toBe(EVENTS.length + 1)
    const kept = await database.query(
      'SELECT v.seq AS kept, m.seq FROM vectors v LEFT JOIN memories m USING (graph_id, memory_id)',
    )
    expect(kept).toHaveLength(EVENTS.filter(({ contextId }) => isLeft(contextId)).length)
    for (const { kept: seq, seq: expectedSeq } of kept) expect(seq).toBe(expectedSeq)
    await one.erase('g', { everything: true }, { dryRun: false })
    expect(await rows('vectors')).toEqual([])
    expect(await rows('readings')).toEqual([])
    await one.append('g', EVENTS.slice(0, 3), at)
    await one.caughtUp('g')
    expect(await nearest(other, 'cache', 90)).toHaveLength(3)
  })

  test('an erasure while a batch is being read: the batch is read again, and nothing of the erased is kept', async () => {
    const meaning = await WordMeaning.create()
    const store = await start(meaning)
    const gate = gateway()
    meaning.before = () => gate.promise
    const receipts = await store.append('g', EVENTS, at)
    await vi.waitFor(
      async () =>
        expect(await rows('readings')).toMatchObject([{ reader: expect.not.stringMatching('^0$') }]),
      30_000,
    )
    await store.erase('g', { memoryId: receipts[2]?.memoryId ?? '' }, { dryRun: false })
    gate.resolve()
    await caughtUp(store)
    const ids = (await database.query('SELECT memory_id FROM vectors')).map(({ memory_id }) => memory_id)
    expect(ids).toHaveLength(EVENTS.length - 1)
    expect(ids).not.toContain(receipts[2]?.memoryId)
  })

  test('memories of another process without a reader are read within the next look', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    try {
      const meaning = await WordMeaning.create()
      const [reading, recording] = [await start(meaning), await start()]
      await recording.append('g', EVENTS, at)
      vi.advanceTimersByTime(15_000)
      await vi.waitFor(() => expect(meaning.read).toHaveLength(EVENTS.length), { timeout: 30_000 })
      await reading.caughtUp('g')
    } finally {
      vi.useRealTimers()
    }
  })

  test('what another model read is read anew by the process opened last, and not again by the other', async () => {
    const [old, young] = [await WordMeaning.create('old'), await WordMeaning.create('young')]
    const before = await start(old)
    await before.append('g', EVENTS, at)
    await before.caughtUp('g')
    young.hold()
    const after = await start(young)
    expect(await nearest(after, 'cache', 3)).toEqual([])
    young.release()
    await caughtUp(after)
    expect(young.read).toHaveLength(EVENTS.length)
    expect(await nearest(after, 'cache', 3)).toHaveLength(3)
    expect(await nearest(before, 'cache', 3)).toEqual([])
    await before.append('g', [event('skill:late', 'late')], at)
    const since = performance.now()
    await before.caughtUp('g')
    expect(performance.now() - since).toBeLessThan(4_000)
    expect(await before.unread()).toEqual(new Map([['g', EVENTS.length + 1]]))
    await after.caughtUp('g')
    expect(old.read).toHaveLength(EVENTS.length)
    expect(young.read).toHaveLength(EVENTS.length + 1)
  })

  test('one connection is enough for reading, writing and asking', async () => {
    const store = await start(await WordMeaning.create(), { poolSize: 1 })
    await Promise.all(EVENTS.map((one) => store.append('g', [one], at)))
    await Promise.all(QUESTIONS.map(() => store.caughtUp('g')))
    await caughtUp(store)
    for (const question of QUESTIONS) expect(await nearest(store, question)).toEqual(expected(question))
  })

  test('an imported graph is read like any other', async () => {
    const store = await start(await WordMeaning.create())
    await store.append('from', EVENTS, at)
    await store.importGraph('g', inPages(await exported(store, 'from')), at)
    await caughtUp(store)
    expect(await answers(store)).toEqual(QUESTIONS.map((question) => expected(question, 20)))
  })

  test('without meaning nothing is read, nothing is near and nothing is awaited; an erasure keeps the vectors of others', async () => {
    const meaning = await WordMeaning.create()
    const [reading, without] = [await start(meaning), await start()]
    const receipts = await without.append('g', EVENTS, at)
    await without.caughtUp('g')
    expect(await rows('vectors')).toEqual([])
    expect(await without.unread()).toEqual(new Map())
    expect(await nearest(without, 'cache')).toEqual([])
    expect(await without.read('g', async (graph) => [await graph.unread(), await graph.vectors([])])).toEqual(
      [0, new Map()],
    )
    await reading.caughtUp('g')
    await without.erase('g', { memoryId: receipts[0]?.memoryId ?? '' }, { dryRun: false })
    expect(await nearest(reading, 'cache', 90)).toHaveLength(EVENTS.length - 1)
    expect(meaning.read).toHaveLength(EVENTS.length)
  })

  test('a database of before is brought over, and what it holds is read', async () => {
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    await migrate(client, MIGRATIONS.slice(0, 2)).finally(() => client.end())
    const graph = `'g', 1, 'mem_1', '2025-01-01', '2025-01-01', 1, 2, 1, 1`
    await database.query(`INSERT INTO graphs (graph_id, last_seq, last_id, last_recorded_at, newest_at, memories,
      total_length, last_context_no, last_place) VALUES (${graph})`)
    await database.query(
      `INSERT INTO contexts VALUES ('g', 1, 'skill:a', 'skill', 'a', '', 1, '2025', '2025')`,
    )
    await database.query(`INSERT INTO memories (graph_id, seq, memory_id, context_no, kind, source, payload, content,
      occurred_at, recorded_at, length, times_seen, place)
      VALUES ('g', 1, 'mem_1', 1, 'fact', 'agent', '{"text":"cache"}', '', '2025-01-01', '2025-01-01', 2, 1, 1)`)
    const store = await start(await WordMeaning.create())
    await store.caughtUp('g')
    expect(await nearest(store, 'cache')).toEqual(['cache'])
  })
})
