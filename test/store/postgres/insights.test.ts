import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LabelledGraph, readGraphs, scopeOf, toNewMemory } from '../../../scripts/quality/graphs.js'
import { conclude, type EnginePorts, research } from '../../../src/domain/insight/engine.js'
import { recall } from '../../../src/domain/insight/recall.js'
import { TextCache } from '../../../src/domain/text-cache.js'
import { openFileStore } from '../../../src/log/file-store.js'
import type { Store } from '../../../src/store/store.js'
import { temporaryFolder } from '../../support/folder.js'
import { vectorOf, WordMeaning } from '../../support/meaning.js'
import { createDatabase, describePostgres, openStore, type TestDatabase } from '../../support/postgres.js'
import { runsOf } from '../../support/runs.js'
import { SILENT } from '../../support/silent.js'
import { ask, fate } from '../support.js'

/** Every n-th task of every n-th graph is asked; `INSIGHTS=all` asks them all. */
const EVERY = process.env['INSIGHTS'] === 'all' ? 1 : runsOf({ quick: 8, full: 2 })
const EVERY_GRAPH = runsOf({ quick: 7, full: 1 })

describePostgres(
  'D19, M4: the labelled graphs are answered alike by both stores, byte for byte',
  async () => {
    const graphs = (await readGraphs()).filter((_, i) => i % EVERY_GRAPH === 0)
    let database: TestDatabase
    const folder = temporaryFolder()
    let stores: Store[] = []
    let engine: EnginePorts
    beforeAll(async () => {
      database = await createDatabase()
      const meaning = await WordMeaning.create()
      stores = [
        await openFileStore({ folder, log: SILENT, meaning, ...fate() }),
        await openStore(database.url, { poolSize: 4, meaning, ...fate() }),
      ]
      engine = { texts: new TextCache() }
    })
    afterAll(async () => {
      for (const store of stores) await store.close()
      await database.drop()
    })

    const each = test.each(graphs.map((graph) => [graph.graph_id, graph] as const))

    each('%s', { timeout: 300_000 }, async (_, graph) => {
      for (const store of stores)
        await store.append(
          graph.graph_id,
          graph.events.map((event) => toNewMemory(event)),
          String,
        )
      const [wanted, found] = await Promise.all(stores.map((store) => answersOf(store, graph, engine)))
      expect(wanted?.length).toBeGreaterThan(10)
      expect(wanted?.some((answer) => answer.includes('"meaning"'))).toBe(true)
      expect(found).toEqual(wanted)
    })

    each('%s, after erasures', { timeout: 300_000 }, async (_, graph) => {
      const [json] = stores
      const before = await json?.read(graph.graph_id, async (reader) =>
        reader.nearest({ vector: vectorOf('what was decided'), limit: 60 }),
      )
      const gone = before?.filter((__, i) => i % 10 === 0) ?? []
      expect(gone).toHaveLength(6)
      for (const store of stores) {
        for (const { memoryId } of gone.slice(1))
          await store.erase(graph.graph_id, { memoryId }, { dryRun: false })
        const contextId = gone[0]?.contextId ?? ''
        await store.erase(graph.graph_id, { contextId }, { dryRun: false })
      }
      const [wanted, found] = await Promise.all(stores.map((store) => answersOf(store, graph, engine)))
      expect(found).toEqual(wanted)
      for (const { memoryId } of gone) expect(wanted?.join('')).not.toContain(memoryId)
    })
  },
)

/** Insights, recalls and what is near to questions, when all of the graph has been read. */
async function answersOf(store: Store, graph: LabelledGraph, engine: EnginePorts): Promise<string[]> {
  await expect.poll(() => ask(store, graph.graph_id).unread(), { timeout: 60_000 }).toBe(0)
  const answers: string[] = []
  for (const [i, task] of graph.tasks.entries()) {
    if (i % EVERY !== 0) continue
    const scope = scopeOf(task)
    const within = { limit: task.limit ?? 5, ...(scope && { scope }) }
    const vector = vectorOf(task.locus_query ?? task.task)
    const question = {
      task: task.task,
      ...(task.locus_query !== undefined && { locusQuery: task.locus_query }),
      ...within,
      vector,
    }
    const { gathered, ...others } = await store.read(graph.graph_id, async (knowledge) => {
      const near = await knowledge.nearest({ ...within, vector })
      return {
        gathered: await research(knowledge, engine, question),
        near,
        vectors: [...(await knowledge.vectors(near.map(({ memoryId }) => memoryId)))].sort(),
      }
    })
    const conclusion = await conclude(gathered, engine, question)
    const recalled = await recall(gathered, engine, question)
    answers.push(
      JSON.stringify({ ...conclusion, reasons: conclusion.reasons() }),
      JSON.stringify({ ...others, recalled }),
    )
  }
  return answers
}
