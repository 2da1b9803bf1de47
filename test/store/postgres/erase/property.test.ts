import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Failure } from '../../../../src/domain/failure.js'
import { type Erasure, LINK_KINDS, type Link, type NewMemory, SOURCES } from '../../../../src/domain/model.js'
import { parseNameQuery } from '../../../../src/domain/names.js'
import { queryTerms } from '../../../../src/domain/search/text-analysis.js'
import { openFileStore } from '../../../../src/log/file-store.js'
import type { Store } from '../../../../src/store/store.js'
import { temporaryFolder } from '../../../support/folder.js'
import { vectorOf, WordMeaning } from '../../../support/meaning.js'
import { createDatabase, describePostgres, openStore, type TestDatabase } from '../../../support/postgres.js'
import { runsOf } from '../../../support/runs.js'
import { SILENT } from '../../../support/silent.js'
import { ask, at, event, everything, exported, fate, inPages } from '../../support.js'
import { tablesOf } from './tables.js'

const MOST_ROUNDS = 4
const RUNS = runsOf({ quick: 1, full: 6 }, 'ERASURE_RUNS')
const CONTEXTS = ['skill:a', 'skill:a_b', 'tool:cache', 'fact:general', 'fact:other']
/** Contexts that are linked to and hold nothing. */
const ONLY_LINKED = ['goal:far', 'goal:near']
const NAMES = [...CONTEXTS, ...ONLY_LINKED]
const TEXTS = ['80', '8080', '9090'].flatMap((port) => [
  `The server listens on port ${port}.`,
  `The server now listens on port ${port}`,
  `The cache holds ${port} entries.`,
  `Deploys of the cache ${port} run on friday`,
])
const QUERIES = ['cache entries', 'server port 80', 'friday', 'general']
const CERTAIN = { dryRun: false }

const link = fc.record({ kind: fc.constantFrom(...LINK_KINDS), toMemory: fc.boolean(), target: fc.nat(60) })
const one = fc.record({
  context: fc.constantFrom(...CONTEXTS),
  text: fc.constantFrom(...TEXTS),
  source: fc.constantFrom(...SOURCES),
  day: fc.option(fc.nat(15), { nil: undefined }),
  links: fc.array(link, { maxLength: 3 }),
})
type One = typeof one extends fc.Arbitrary<infer T> ? T : never
const batches = fc.array(fc.array(one, { minLength: 1, maxLength: 4 }), { minLength: 6, maxLength: 14 })
const erasures = fc.array(
  fc.record({ pick: fc.nat(60), isContext: fc.boolean(), more: fc.array(one, { maxLength: 2 }) }),
  {
    minLength: 1,
    maxLength: 5,
  },
)

describePostgres('erasures on PostgreSQL', () => {
  let database: TestDatabase
  const folder = temporaryFolder()
  let postgres: Store
  let json: Store
  // The stores look at the clock a different number of times.
  let time = Date.parse('2025-01-01T00:00:00.000Z')
  const now = () => new Date(time)
  beforeAll(async () => {
    database = await createDatabase()
    const meaning = await WordMeaning.create()
    postgres = await openStore(database.url, { ...fate(), now, meaning, poolSize: 4 })
    json = await openFileStore({ folder, log: SILENT, meaning, ...fate(), now })
  })
  afterAll(async () => {
    await postgres.close()
    await json.close()
    await database.drop()
  })

  test(
    'T5: one after the other, each leaves what the other store has, and what an import of the rest would have made',
    async () => {
      let run = 0
      let taken = 0
      const property = fc.asyncProperty(batches, erasures, async (recorded, steps) => {
        const graph = `g${run++}`
        const ids: string[] = []
        const requests = new Map<number, NewMemory[]>()
        const record = async (number: number, events: NewMemory[]) => {
          requests.set(number, events)
          time += 1000
          const name = { key: `${number}`, body: `${number}` }
          const outcomes = [json, postgres].map((store) =>
            store.append(graph, events, at, name).catch(refusal),
          )
          const [wanted, found] = await Promise.all(outcomes)
          expect(found).toEqual(wanted)
          if (!Array.isArray(wanted)) return
          for (const { memoryId } of wanted) if (!ids.includes(memoryId)) ids.push(memoryId)
          ids.sort()
        }
        for (const [i, batch] of recorded.entries()) await record(i, toEvents(batch, ids))
        for (const [i, { pick, isContext, more }] of steps.entries()) {
          const memoryId = ids[pick % ids.length]
          if (memoryId === undefined) break
          const { contextId } = await ask(json, graph).memory(memoryId)
          const what: Erasure = isContext ? { contextId } : { memoryId }
          const dry = await postgres.erase(graph, what, { dryRun: true })
          const wanted = await json.erase(graph, what, CERTAIN)
          expect(await postgres.erase(graph, what, CERTAIN)).toEqual(wanted)
          expect(dry).toEqual(wanted)
          if (3 * wanted.memories <= ids.length) taken++
          for (const id of wanted.memoryIds) ids.splice(ids.indexOf(id), 1)
          expect(await answers(postgres, graph, ids)).toEqual(await answers(json, graph, ids))
          const copy = `${graph}-${i}`
          await postgres.importGraph(copy, inPages(await exported(postgres, graph)), at)
          expect(await tablesOf(database, graph)).toEqual(await tablesOf(database, copy))
          expect(await answers(postgres, copy, ids)).toEqual(await answers(postgres, graph, ids))
          // What was answered before is answered so again, unless it named what is gone: then it is recorded anew.
          await record(pick % recorded.length, requests.get(pick % recorded.length) ?? [])
          await record(recorded.length + i, toEvents(more, ids))
          expect(await answers(postgres, graph, ids)).toEqual(await answers(json, graph, ids))
        }
      })
      // Of a graph that loses most of its memories, the rest is recorded again: until chance has brought the other way often
      // enough. A graph that differs is told at once, since to look for a smaller one takes longer than anybody waits.
      for (let round = 0; round < MOST_ROUNDS && taken <= RUNS; round++)
        await fc.assert(property, { numRuns: RUNS, endOnFailure: true })
      expect(taken).toBeGreaterThan(RUNS)
    },
    120_000 + RUNS * 60_000,
  )
})

function toEvents(batch: readonly One[], ids: readonly string[]): NewMemory[] {
  return batch.map(({ context, text, source, day, links }) => {
    const stated = links.map(({ kind, toMemory, target }): Link => {
      const memory = ids[target % Math.max(1, ids.length)]
      return {
        kind,
        target: toMemory && memory !== undefined ? memory : (NAMES[target % NAMES.length] ?? ''),
      }
    })
    // One memory cannot be reinforced and contradicted by one event.
    const seen = new Map(stated.map((link) => [link.target, link]))
    const occurred = day === undefined ? {} : { occurredAt: `2026-02-${10 + day}T00:00:00.000Z` }
    return event(context, text, { source, links: [...seen.values()], ...occurred })
  })
}

/** Every kind of question, asked of one graph. */
async function answers(store: Store, graph: string, ids: readonly string[]): Promise<unknown> {
  await store.caughtUp(graph)
  const all = { page: 0, pageSize: 1000 }
  const scope = { types: ['skill'], contextIds: ['fact:general'] }
  return store.read(graph, async (reader) =>
    plain({
      everything: await everything(store, graph),
      exported: await exported(store, graph),
      memories: await reader.memories(ids),
      names: await Promise.all(QUERIES.map((q) => reader.searchContexts(parseNameQuery(q), all))),
      retrieved: await Promise.all(
        QUERIES.flatMap((q) => [
          reader.retrieve({ terms: queryTerms(q), limit: 20 }),
          reader.retrieve({ terms: queryTerms(q), limit: 5, scope }),
        ]),
      ),
      near: await Promise.all(QUERIES.map((q) => reader.nearest({ vector: vectorOf(q), limit: 10 }))),
      vectors: await reader.vectors(ids),
      unread: await reader.unread(),
      latest: await reader.latest(scope, 5),
      against: await reader.recordsAgainst(ids),
      neighbours: await reader.neighbours(ids.slice(0, 3)),
    }),
  )
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
