import { claimOf, excerpt, shown } from '../../src/domain/insight/claims.js'
import { evidenceOf, type Gathered } from '../../src/domain/insight/evidence.js'
import { type Features, featuresOf } from '../../src/domain/insight/features.js'
import type { Candidate } from '../../src/domain/insight/order.js'
import { gather, type Pool } from '../../src/domain/insight/pool.js'
import { analyse } from '../../src/domain/insight/query.js'
import { rank } from '../../src/domain/insight/rank.js'
import { toBytes } from '../../src/domain/meaning/nearness.js'
import type { Memory } from '../../src/domain/model.js'
import { TextCache } from '../../src/domain/text-cache.js'
import {
  type Knowing,
  type Loaded,
  readAnswers,
  readGraphs,
  scopeOf,
  type Task,
  withGraphs,
} from './graphs.js'
import { smallGraphs } from './small-graphs.js'
import { everydayTasks, unanswerableTasks } from './unanswerable.js'
import type { KeptMeaning } from './vectors.js'

/** Where a task comes from: what the models are fitted on is weighed by it. */
export type Origin = 'graphs' | 'answers' | 'small' | 'made'

/** A task with what was retrieved for it: what the models are fitted on. */
export interface Example {
  readonly graphId: string
  readonly origin: Origin
  readonly task: Task
  readonly limit: number
  readonly pool: Pool
  readonly features: readonly Features[]
  readonly ids: ReadonlyMap<string, string>
  readonly texts: TextCache
  /** The graph, for what was not retrieved. */
  readonly rest: Knowing
}

/** The tasks of all labelled sets, retrieved with embeddings or by words alone. */
export async function allExamples(meaning: KeptMeaning, isEmbedded = true): Promise<Example[]> {
  const graphs = await readGraphs()
  const sets = [
    ...graphs.map((graph) => ({ graph, origin: 'graphs' as const })),
    ...(await readAnswers()).map((graph) => ({ graph, origin: 'answers' as const })),
    ...(await smallGraphs()).map((graph) => ({ graph, origin: 'small' as const })),
  ]
  const everyday = await everydayTasks()
  return withGraphs(
    sets.map(({ graph }) => graph),
    meaning,
    async (loaded) => {
      const all: Example[] = []
      for (const [i, one] of loaded.entries()) {
        const origin = sets[i]?.origin ?? 'made'
        const made = origin === 'graphs' ? [...unanswerableTasks(one.graph, graphs), ...everyday] : []
        const used = isEmbedded ? meaning : undefined
        // A quarter is enough to learn from.
        const some = made.filter((_, n) => n % 4 === 0)
        all.push(
          ...(await examplesOf(one, one.graph.tasks, origin, used)),
          ...(await examplesOf(one, some, 'made', used)),
        )
      }
      return all
    },
  )
}

async function examplesOf(
  { graph, read, ids, rest }: Loaded,
  tasks: readonly Task[],
  origin: Origin,
  meaning: KeptMeaning | undefined,
): Promise<Example[]> {
  const texts = new TextCache()
  const examples: Example[] = []
  for (const task of tasks) {
    const limit = task.limit ?? 5
    const text = task.locus_query ?? task.task
    const [vector] = (await meaning?.encode([text])) ?? []
    const pool = await read((knowledge) =>
      gather(knowledge, { texts }, analyse(text, texts), {
        ...{ scope: scopeOf(task), limit },
        vector: vector && toBytes(vector),
      }),
    )
    const features = featuresOf(pool)
    examples.push({ graphId: graph.graph_id, origin, task, limit, pool, features, ids, texts, rest })
  }
  return examples
}

/** What an answer to the task would be made from. */
export async function gatheredOf(
  { pool, features, limit, rest }: Example,
  retrieval: Features,
): Promise<Gathered> {
  return evidenceOf(rest, { pool, ranked: rank(pool, features, retrieval) }, limit)
}

export function isAnswerable({ task }: Pick<Example, 'task'>): boolean {
  return task.first !== undefined || task.evidence.length > 0
}

/** Is this memory part of the labelled evidence, or its first line the labelled one? */
export function isWanted({ task, ids }: Example, memory: Memory): boolean {
  if (task.first === undefined) return task.evidence.some((key) => ids.get(key) === memory.memoryId)
  return fits(task, shown(claimOf(memory), claimOf(memory).text))
}

/** Would the first line be right? */
export function isRight(example: Example, { item, claim, part }: Candidate): boolean {
  if (example.task.first === undefined) return isWanted(example, item.memory)
  return fits(example.task, shown(claim, excerpt(claim, part)))
}

function fits({ first = '', not_in: not }: Task, line: string): boolean {
  return new RegExp(first, 'im').test(line) && !(not !== undefined && new RegExp(not, 'i').test(line))
}
