import { analyse } from '../../src/domain/insight/1-analyse/query.js'
import { gather, type Pool } from '../../src/domain/insight/2-retrieve/pool.js'
import { type Features, featuresOf } from '../../src/domain/insight/3-rank/features.js'
import { toBytes } from '../../src/domain/meaning/nearness.js'
import type { Knowledge } from '../../src/domain/search/knowledge.js'
import { TextCache } from '../../src/domain/text-cache.js'
import { everydayTasks } from './everyday.js'
import { type Loaded, readGraphs, scopeOf, type Task, withGraphs } from './graphs.js'
import { smallGraphs } from './small-graphs.js'
import { unanswerableTasks } from './unanswerable.js'
import { type KeptMeaning, keptMeaning } from './vectors.js'

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
  readonly rest: Pick<Knowledge, 'latest' | 'memories' | 'recordsAgainst' | 'vectors'>
}

/** The tasks of all labelled and small graphs, and what the labelled ones have no answer to; read for meaning, or by words alone. */
export async function allExamples(isRead = true): Promise<Example[]> {
  const meaning = await keptMeaning()
  const graphs = await readGraphs()
  const everyday = await everydayTasks()
  const examples = await withGraphs([...graphs, ...smallGraphs()], meaning, async (loaded) => {
    const all = loaded.map((one) => {
      const nothing = graphs.includes(one.graph) ? [...unanswerableTasks(one.graph, graphs), ...everyday] : []
      return examplesOf(one, [...one.graph.tasks, ...nothing], isRead ? meaning : undefined)
    })
    return (await Promise.all(all)).flat()
  })
  await meaning.keep()
  return examples
}

export async function examplesOf(
  { graph, read, ids }: Loaded,
  tasks: readonly Task[],
  meaning: KeptMeaning | undefined,
): Promise<Example[]> {
  const texts = new TextCache()
  const rest = await read((knowledge) => restOf(knowledge, [...ids.values()]))
  return Promise.all(
    tasks.map(async (task) => {
      const limit = task.limit ?? 5
      const text = task.locus_query ?? task.task
      const [vector] = (await meaning?.encode([text])) ?? []
      const pool = await read((knowledge) =>
        gather(knowledge, { texts }, analyse(text, texts), {
          scope: scopeOf(task),
          limit,
          vector: vector && toBytes(vector),
        }),
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
      }
    }),
  )
}

/** All memories of a graph, to be asked for when its store is closed. */
async function restOf(knowledge: Knowledge, ids: readonly string[]): Promise<Example['rest']> {
  const byId = new Map((await knowledge.memories(ids)).map((memory) => [memory.memoryId, memory]))
  const against = await knowledge.recordsAgainst(ids)
  const vectors = await knowledge.vectors(ids)
  const latest = [...byId.values()].sort((a, b) => b.seq - a.seq)
  return {
    latest: ({ contextIds }, limit) =>
      latest.filter(({ contextId }) => contextIds.includes(contextId)).slice(0, limit),
    memories: (wanted) => wanted.flatMap((id) => byId.get(id) ?? []),
    recordsAgainst: (wanted) => new Map([...against].filter(([id]) => wanted.includes(id))),
    vectors: () => vectors,
  }
}
