import { HOOK_MEMORIES, MOST_CHARS } from '../../src/domain/hooks/answer.js'
import { type RecalledItem, tellMemories } from '../../src/domain/hooks/told.js'
import { type Ranked, rank, worthwhile } from '../../src/domain/insight/3-rank/rank.js'
import { evidenceOf } from '../../src/domain/insight/4-reconcile/evidence.js'
import { say } from '../../src/domain/insight/5-say/say.js'
import { calibrate } from '../../src/domain/insight/6-calibrate/calibrate.js'
import type { Models } from './cross-validate.js'
import { everydayTasks } from './everyday.js'
import { type Example, examplesOf } from './example.js'
import { type LabelledGraph, readGraphs, type Task, withGraphs } from './graphs.js'
import { unanswerableTasks } from './unanswerable.js'
import { keptMeaning } from './vectors.js'

/** A prompt has an answer in the graph, asks for something that the graph does not hold, or needs nothing at all. */
export const SORTS = ['answerable', 'unanswerable', 'everyday'] as const
export type Sort = (typeof SORTS)[number]

/** What a hook did with a prompt. */
export interface Verdict {
  readonly graphId: string
  readonly sort: Sort
  readonly prompt: string
  readonly level: 'high' | 'medium' | 'low'
  readonly score: number
  /** What would be told at that level: the texts, the first first. */
  readonly told: readonly string[]
  /** Is a memory among them that the answer rests on? */
  readonly isRight: boolean
}

/** All prompts, gathered for on each graph as a hook does it: as they are, with no filter. */
export async function gateExamples(): Promise<Example[]> {
  const meaning = await keptMeaning()
  const graphs = await readGraphs()
  const everyday = await everydayTasks()
  const examples = await withGraphs(graphs, meaning, async (loaded) => {
    const all = loaded.map((one) => examplesOf(one, promptsFor(one.graph, graphs, everyday), meaning))
    return (await Promise.all(all)).flat()
  })
  await meaning.keep()
  return examples
}

function promptsFor(graph: LabelledGraph, all: readonly LabelledGraph[], everyday: readonly Task[]): Task[] {
  const prompt = (id: string, kind: Sort, task: string, evidence: readonly string[] = []): Task => ({
    ...{ id, kind, task, evidence },
    limit: HOOK_MEMORIES,
    confidence: [],
  })
  return [
    ...graph.tasks.map(({ id, task, evidence }) =>
      prompt(id, evidence.length > 0 ? 'answerable' : 'unanswerable', task, evidence),
    ),
    ...unanswerableTasks(graph, all).map(({ id, task }) => prompt(id, 'unanswerable', task)),
    ...everyday.map(({ id, task }) => prompt(id, 'everyday', task)),
  ]
}

/** As the service decides it, with any models. */
export async function judgeHook(example: Example, { weights, calibration }: Models): Promise<Verdict> {
  const { task, limit, pool, features, ids, graphId } = example
  const ranked = rank(pool, features, weights)
  const evidence = await evidenceOf(example.rest, { pool: example.pool, ranked }, limit)
  const said = say(task.task, evidence)
  const { level, score } = calibrate({ pool, ranked }, evidence, said, calibration)
  const items = pool.query.isOneWord ? [] : worthwhile(ranked, limit).map(toItem)
  const told = new Set(tellMemories(items, MOST_CHARS).told)
  return {
    ...{ graphId, level, score },
    // The kind of each was set above.
    sort: task.kind as Sort,
    prompt: task.task,
    told: items.filter(({ memory_id }) => told.has(memory_id)).map(({ text }) => text),
    isRight: task.evidence.some((key) => told.has(ids.get(key) ?? '')),
  }
}

function toItem({ memory }: Ranked): RecalledItem {
  return {
    memory_id: memory.memoryId,
    context_id: memory.contextId,
    text: memory.text,
    source: memory.source,
    status: memory.trust.status,
    occurred_at: memory.occurredAt,
    recorded_at: memory.recordedAt,
    disputed_by: memory.trust.disputedBy,
  }
}

export const LEASTS = ['low', 'medium', 'high'] as const
export type Least = (typeof LEASTS)[number]

export function isTold({ level, told }: Verdict, least: Least): boolean {
  return told.length > 0 && LEASTS.indexOf(level) >= LEASTS.indexOf(least)
}

/** The share of prompts that get text; of those with an answer, the share that gets the right memory. */
export function shareOf(verdicts: readonly Verdict[], sort: Sort | 'needless', least: Least): number {
  const own = verdicts.filter((it) => (sort === 'needless' ? it.sort !== 'answerable' : it.sort === sort))
  const hits = own.filter((it) => isTold(it, least) && (sort !== 'answerable' || it.isRight))
  return own.length === 0 ? 0 : hits.length / own.length
}
