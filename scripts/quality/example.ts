import { analyse } from '../../src/domain/insight/1-analyse/query.js'
import { gather, type Pool } from '../../src/domain/insight/2-retrieve/pool.js'
import { type Features, featuresOf } from '../../src/domain/insight/3-rank/features.js'
import type { Lexicon } from '../../src/domain/lexicon/lexicon.js'
import type { Knowledge } from '../../src/domain/search/knowledge.js'
import { TextCache } from '../../src/domain/text-cache.js'
import { readLexicon } from '../../src/service/load-lexicon.js'
import { type Loaded, readGraphs, scopeOf, type Task, withGraphs } from './graphs.js'

/** A task with everything that was gathered for it: what the models are fitted on. */
export interface Example {
  readonly graphId: string
  readonly task: Task
  readonly limit: number
  readonly pool: Pool
  readonly features: readonly Features[]
  /** For each entry of the pool: is it part of the labelled evidence? */
  readonly wanted: readonly boolean[]
  readonly ids: ReadonlyMap<string, string>
  /** The rest of the graph, for what was not retrieved. */
  readonly rest: Pick<Knowledge, 'memories' | 'recordsAgainst'>
  readonly lexicon: Lexicon
}

/** The tasks of all labelled graphs. */
export async function allExamples(): Promise<Example[]> {
  const lexicon = await readLexicon()
  return withGraphs(await readGraphs(), async (loaded) =>
    (await Promise.all(loaded.map((graph) => examplesOf(graph, lexicon)))).flat(),
  )
}

async function examplesOf({ graph, read, ids }: Loaded, lexicon: Lexicon): Promise<Example[]> {
  const texts = new TextCache()
  const rest = await read((knowledge) => restOf(knowledge, [...ids.values()]))
  return Promise.all(
    graph.tasks.map(async (task) => {
      const limit = task.limit ?? 5
      const query = analyse(task.locus_query ?? task.task, texts)
      const pool = await read((knowledge) =>
        gather(knowledge, { lexicon, texts }, query, scopeOf(task), limit),
      )
      const wanted = new Set(task.evidence.map((key) => ids.get(key)))
      return {
        graphId: graph.graph_id,
        task,
        limit,
        pool,
        features: featuresOf(pool),
        wanted: pool.entries.map(({ memory }) => wanted.has(memory.memoryId)),
        ids,
        rest,
        lexicon,
      }
    }),
  )
}

/** All memories of a graph, to be asked for when its store is closed. */
async function restOf(knowledge: Knowledge, ids: readonly string[]): Promise<Example['rest']> {
  const byId = new Map((await knowledge.memories(ids)).map((memory) => [memory.memoryId, memory]))
  const against = await knowledge.recordsAgainst(ids)
  return {
    memories: (wanted) => wanted.flatMap((id) => byId.get(id) ?? []),
    recordsAgainst: (wanted) => new Map([...against].filter(([id]) => wanted.includes(id))),
  }
}
