import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LabelledGraph, readGraphs, scopeOf, toNewMemory } from '../../../scripts/quality/graphs.js'
import { conclude, type EnginePorts } from '../../../src/domain/insight/engine.js'
import { recall } from '../../../src/domain/insight/recall.js'
import { TextCache } from '../../../src/domain/text-cache.js'
import { openJsonStore } from '../../../src/store/json/store.js'
import type { Store } from '../../../src/store/store.js'
import { temporaryFolder } from '../../support/folder.js'
import { createDatabase, describePostgres, openStore, type TestDatabase } from '../../support/postgres.js'
import { SILENT } from '../../support/silent.js'
import { fate } from '../support.js'

/** Every n-th task is asked; `INSIGHTS=all` asks them all. */
const EVERY = process.env['INSIGHTS'] === 'all' ? 1 : 8

describePostgres('D19: the labelled graphs are answered alike by both stores, byte for byte', async () => {
  const graphs = await readGraphs()
  let database: TestDatabase
  const folder = temporaryFolder()
  let stores: Store[] = []
  let engine: EnginePorts
  beforeAll(async () => {
    database = await createDatabase()
    stores = [
      await openJsonStore({ folder, log: SILENT, ...fate() }),
      await openStore(database.url, { poolSize: 4, ...fate() }),
    ]
    engine = { texts: new TextCache() }
  })
  afterAll(async () => {
    for (const store of stores) await store.close()
    await database.drop()
  })

  test.each(graphs.map((graph) => [graph.graph_id, graph] as const))(
    '%s',
    async (_, graph) => {
      const [wanted, found] = await Promise.all(stores.map((store) => answersOf(store, graph, engine)))
      expect(wanted?.length).toBeGreaterThan(10)
      expect(found).toEqual(wanted)
    },
    300_000,
  )
})

async function answersOf(store: Store, graph: LabelledGraph, engine: EnginePorts): Promise<string[]> {
  await store.append(graph.graph_id, graph.events.map(toNewMemory), String)
  const answers: string[] = []
  for (const [i, task] of graph.tasks.entries()) {
    if (i % EVERY !== 0) continue
    const scope = scopeOf(task)
    const within = { limit: task.limit ?? 5, ...(scope && { scope }) }
    const question = {
      task: task.task,
      ...(task.locus_query !== undefined && { locusQuery: task.locus_query }),
      ...within,
    }
    const { conclusion, recalled } = await store.read(graph.graph_id, async (knowledge) => ({
      conclusion: await conclude(knowledge, engine, question),
      recalled: await recall(knowledge, engine, { query: task.task, ...within }),
    }))
    answers.push(JSON.stringify({ ...conclusion, reasons: conclusion.reasons() }), JSON.stringify(recalled))
  }
  return answers
}
