import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Failure } from '../../../src/domain/failure.js'
import { LINK_KINDS, type Link, SOURCES } from '../../../src/domain/model.js'
import { parseNameQuery } from '../../../src/domain/names.js'
import { queryTerms } from '../../../src/domain/search/text-analysis.js'
import { openFileStore } from '../../../src/log/file-store.js'
import type { Store } from '../../../src/store/store.js'
import { temporaryFolder } from '../../support/folder.js'
import { vectorOf, WordMeaning } from '../../support/meaning.js'
import { createDatabase, describePostgres, openStore, type TestDatabase } from '../../support/postgres.js'
import { runsOf } from '../../support/runs.js'
import { SILENT } from '../../support/silent.js'
import { ask, at, event, everything, exported, fate, surveyed } from '../support.js'

const CONTEXTS = ['skill:a', 'skill:a_b', 'tool:a-b', 'decision:😀x', 'decision:ﬀx', 'fact:general', 'skill:']
const WORDS = 'cache entries ten twenty deploys friday retries capped useState 東京 42 the'.split(' ')
const QUERIES = ['cache', 'a', 'a b', 'skill', '😀', 'ff', 'friday 42 cache entries ten', 'usestate', '東京']

/** Texts of which the stores must judge alike whether they speak of the same thing. */
const SENTENCES = ['80', '8080', 'eighty'].flatMap((port) => [
  `The server listens on port ${port}.`,
  `The server now listens on port ${port}`,
  `The cache holds ${port} entries.`,
])

const words = fc.array(fc.constantFrom(...WORDS), { maxLength: 6 }).map((words) => words.join(' '))
const text = fc.oneof(words, { weight: 2, arbitrary: fc.constantFrom(...SENTENCES) })
const link = fc.record({
  kind: fc.constantFrom(...LINK_KINDS),
  toMemory: fc.boolean(),
  target: fc.nat(40),
})
const one = fc.record({
  context: fc.nat(CONTEXTS.length - 1),
  text,
  source: fc.constantFrom(...SOURCES),
  links: fc.array(link, { maxLength: 3 }),
})
const command = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('append'),
      events: fc.array(one, { minLength: 1, maxLength: 5 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('erase memory'), pick: fc.nat(40) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('erase context'), pick: fc.nat(CONTEXTS.length - 1) }),
  },
)
const commands = fc.array(command, { minLength: 1, maxLength: 8 })
type Command = typeof command extends fc.Arbitrary<infer T> ? T : never

describePostgres('D19: both stores agree', () => {
  let database: TestDatabase
  const folder = temporaryFolder()
  let postgres: Store
  let json: Store
  beforeAll(async () => {
    database = await createDatabase()
    // The same clock and the same chance for both, so that even ids and times are equal.
    const meaning = await WordMeaning.create()
    postgres = await openStore(database.url, { ...fate(), meaning, poolSize: 4 })
    json = await openFileStore({ folder, log: SILENT, meaning, ...fate() })
  })
  afterAll(async () => {
    await postgres.close()
    await json.close()
    await database.drop()
  })

  test('M4: the same commands get the same answers, by words and by meaning, order included, scores to 1e-9', async () => {
    let run = 0
    let compared = 0
    const property = fc.asyncProperty(commands, async (list) => {
      const graph = `g${run++}`
      const [left, right] = await Promise.all([carryOut(json, graph, list), carryOut(postgres, graph, list)])
      expect(right.outcomes).toEqual(left.outcomes)
      const [wanted, found] = await Promise.all([
        answers(json, graph, left.ids),
        answers(postgres, graph, left.ids),
      ])
      expect(found).toEqual(wanted)
      if (!(wanted instanceof Object && 'code' in wanted)) compared++
    })
    // A graph whose memories were all erased answers with refusals alone: until chance has brought enough others.
    for (let round = 0; round < MOST_ROUNDS && compared <= RUNS / 2; round++)
      await fc.assert(property, { numRuns: RUNS, ...IN_TIME })
    expect(compared).toBeGreaterThan(RUNS / 2)
  }, 600_000)
})

const RUNS = runsOf({ quick: 4, full: 25 }, 'D19_RUNS')
const MOST_ROUNDS = 5
/** What fails is told with the shortest list of commands that was found by then: to find the very shortest may take longer. */
const IN_TIME = { interruptAfterTimeLimit: 300_000, markInterruptAsFailure: true }

/** Carries out the commands one after the other, and gives what each was answered with. */
async function carryOut(store: Store, graph: string, list: readonly Command[]) {
  const ids: string[] = []
  const outcomes: unknown[] = []
  for (const step of list) {
    outcomes.push(await carryOutOne(store, graph, step, ids).catch(refusal))
  }
  return { outcomes, ids }
}

async function carryOutOne(store: Store, graph: string, step: Command, ids: string[]): Promise<unknown> {
  if ('events' in step) {
    const events = step.events.map(({ context, text, source, links }) =>
      event(CONTEXTS[context] ?? '', text, {
        source,
        links: links.map(({ kind, toMemory, target }): Link => {
          const memory = ids[target % Math.max(1, ids.length)]
          const named = CONTEXTS[target % CONTEXTS.length] ?? ''
          return { kind, target: toMemory && memory !== undefined ? memory : named }
        }),
      }),
    )
    const receipts = await store.append(graph, events, at)
    for (const { memoryId } of receipts) if (!ids.includes(memoryId)) ids.push(memoryId)
    return receipts
  }
  const memoryId = ids[step.pick % Math.max(1, ids.length)] ?? 'mem_00000000000000000000000000'
  const what = step.do === 'erase memory' ? { memoryId } : { contextId: CONTEXTS[step.pick] ?? '' }
  const dry = await store.erase(graph, what, { dryRun: true })
  return [dry, await store.erase(graph, what, { dryRun: false })]
}

/** Every kind of question, asked of one graph. */
async function answers(store: Store, graph: string, ids: readonly string[]): Promise<unknown> {
  try {
    await store.caughtUp(graph)
    const all = { page: 0, pageSize: 1000 }
    const scope = { types: ['skill'], contextIds: ['fact:general', 'none:such'] }
    return plain({
      everything: await everything(store, graph),
      surveyed: await surveyed(store, graph),
      exported: await exported(store, graph),
      found: await Promise.all(QUERIES.map((q) => ask(store, graph).searchContexts(parseNameQuery(q), all))),
      retrieved: await Promise.all(
        QUERIES.flatMap((q) => [
          ask(store, graph).retrieve({ terms: queryTerms(q), limit: 3 }),
          ask(store, graph).retrieve({ terms: queryTerms(q), limit: 10, scope }),
        ]),
      ),
      near: await Promise.all(
        QUERIES.flatMap((q) => [
          ask(store, graph).nearest({ vector: vectorOf(q), limit: 3 }),
          ask(store, graph).nearest({ vector: vectorOf(q), limit: 10, scope }),
        ]),
      ),
      vectors: await ask(store, graph).vectors([...ids, 'mem_none']),
      unread: await ask(store, graph).unread(),
      latest: await ask(store, graph).latest(scope, 4),
      against: await store.read(graph, async (reader) => reader.recordsAgainst(ids)),
      byId: await store.read(graph, async (reader) => reader.memories([...ids, 'mem_none'].reverse())),
      weighed: await ask(store, graph).weigh(['cach', 'nothing', 'skill']),
    })
  } catch (error) {
    return refusal(error)
  }
}

/** A refusal is an answer like any other; any other error is a bug. */
function refusal(error: unknown): { code: string; message: string } {
  if (!(error instanceof Failure)) throw error
  return { code: error.code, message: error.message }
}

/** With maps as lists, and with scores to nine digits. */
function plain(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_, item) => {
      if (item instanceof Map) return [...item]
      return typeof item === 'number' && !Number.isInteger(item) ? Number(item.toFixed(9)) : item
    }),
  )
}
