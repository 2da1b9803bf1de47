import type { ContextFilter, Knowledge } from '../search/knowledge.js'
import { type Answer, answer } from './answer.js'
import { askedTimeOf } from './asked-time.js'
import type { ConfidenceLevel } from './confidence.js'
import { evidenceOf, type Gathered } from './evidence.js'
import { find } from './find.js'
import { MODELS } from './models.js'
import type { Candidate } from './order.js'
import type { EnginePorts } from './ports.js'
import { type Ranked, worthwhile } from './rank.js'
import { reasonsFor } from './reasons.js'
import type { Evidence } from './reconcile.js'
import { type Said, say } from './say.js'

export interface Question {
  readonly task: string
  /** The text to search for instead of the task. */
  readonly locusQuery?: string
  readonly scope?: ContextFilter
  /** The most memories to consider. */
  readonly limit: number
  /** The embedding of the text that is searched for, if there is one. */
  readonly vector?: Int8Array
}

export interface Conclusion extends Said {
  readonly level: ConfidenceLevel
  /** 0..1: the fitted probability that the first line answers. */
  readonly score: number
  /** Does anything recorded answer the task? */
  readonly answered: boolean
  /** Why the answer has its confidence, in words; computed when called. */
  readonly reasons: () => readonly string[]
  readonly evidence: readonly Evidence[]
  /** The memories that fit best, the best first; the evidence was made from them. */
  readonly ranked: readonly Ranked[]
}

/** Gathers everything that an answer needs of a graph. */
export async function research(
  knowledge: Knowledge,
  ports: EnginePorts,
  { task, locusQuery, scope, vector, limit }: Question,
): Promise<Gathered> {
  const time = askedTimeOf(task)
  const isPast = time !== undefined
  const found = await find(knowledge, ports, { text: locusQuery ?? task, scope, vector, limit, isPast })
  await ports.pause?.()
  return evidenceOf(knowledge, found, limit, time)
}

/** Answers without the graph: the same memories and question give the same answer. */
export async function conclude(
  gathered: Gathered,
  { reader, texts, models = MODELS }: EnginePorts,
  { task, limit }: Pick<Question, 'task' | 'limit'>,
): Promise<Conclusion> {
  const found = await answer(task, gathered, { reader, texts, models })
  return {
    ...say(task, found, gathered),
    ...{ level: found.level, score: found.score },
    answered: found.kind !== 'nothing' && found.kind !== 'open',
    reasons: () => reasonsFor(found, gathered),
    evidence: withLeadFirst(gathered.evidence, found),
    ranked: withChosenFirst(worthwhile(gathered.ranked, limit), found),
  }
}

/** The ranked memories with the candidates first, in the reader's order, if it has read. */
function withChosenFirst(ranked: readonly Ranked[], { candidates, kind }: Answer): readonly Ranked[] {
  if (kind === 'nothing' || candidates[0]?.logit === undefined) return ranked
  return withFirst(candidates, ranked)
}

/** The memories that were read first, in the reader's order; otherwise the order stays. */
function withFirst<T extends Ranked>(read: readonly Candidate[], items: readonly T[]): readonly T[] {
  const order = new Map(read.map(({ item }, i) => [item.memory.memoryId, i]))
  const indexOf = ({ memory }: T) => order.get(memory.memoryId) ?? order.size
  return items.toSorted((a, b) => indexOf(a) - indexOf(b))
}

/** The evidence with the reader's candidates first. A candidate that the lead, as a later record, may contradict is superseded. */
function withLeadFirst(
  evidence: readonly Evidence[],
  { lead, candidates, kind }: Answer,
): readonly Evidence[] {
  if (lead === undefined) return evidence
  const chosen = kind === 'nothing' ? [] : [lead, ...candidates.filter((one) => one.item !== lead.item)]
  const contested = new Set(
    evidence.filter(({ remarks }) => remarks.includes(lead.item.memory.memoryId)).map(({ memory }) => memory),
  )
  const known = new Set(evidence.map(({ memory }) => memory))
  const further = chosen.filter(({ item }) => !known.has(item.memory)).map(({ item }) => item)
  const all = [...evidence, ...further]
  const relevance = Math.max(...all.map((item) => item.relevance))
  const shown = all.map((item): Evidence => {
    if (item.memory === lead.item.memory) return { ...item, relevance }
    const isOutdated =
      contested.has(item.memory) && chosen.some((one) => one.item.memory.memoryId === item.memory.memoryId)
    return isOutdated ? { ...item, role: 'superseded' } : item
  })
  return withFirst(chosen, shown)
}

export interface Recalled extends Pick<Conclusion, 'level'> {
  /** The memories that fit the query best, the best first. */
  readonly ranked: readonly Ranked[]
  /** Does any of them answer the query? Undefined if no level was asked for, so that nothing was read. */
  readonly answered?: boolean
}

const RANK: Readonly<Record<ConfidenceLevel, number>> = { low: 0, medium: 1, high: 2 }

/**
 * The memories that an insight would rest on. Reading them against the query takes most of the time of an insight, so they are
 * read only if a least level is asked for.
 */
export async function recall(
  gathered: Gathered,
  { reader, ...ports }: EnginePorts,
  question: { readonly task: string; readonly limit: number },
  minConfidence: ConfidenceLevel = 'low',
): Promise<Recalled> {
  const isRead = minConfidence !== 'low' && reader !== undefined
  const { ranked, level, answered } = await conclude(
    gathered,
    isRead ? { ...ports, reader } : ports,
    question,
  )
  const isEnough = RANK[level] >= RANK[minConfidence]
  return { ranked: isEnough ? ranked : [], level, ...(isRead && { answered }) }
}
