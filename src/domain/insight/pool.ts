import { listOf } from '../groups.js'
import { closeness, cosineTo } from '../meaning/nearness.js'
import type { Memory, MemoryId } from '../model.js'
import { splitContextId } from '../names.js'
import { termScore } from '../search/bm25.js'
import type { ContextFilter, Knowledge, Pause, Retrieved } from '../search/knowledge.js'
import type { TextCache } from '../text-cache.js'
import { type Entry, EPSILON, toEntry } from './entry.js'
import type { Query } from './query.js'

/** How a memory was found: by words (of the query or its expansion), by meaning, along links, or by the filter. */
export type FoundBy = 'words' | 'meaning' | 'link' | 'filter'

/** The memories that may answer a query, with what ranking them needs. */
export interface Pool {
  readonly query: Query
  readonly entries: readonly Entry[]
  readonly firsts: ReadonlyMap<Entry, First>
  /** Each list in the order in which the ways were tried. */
  readonly foundBy: ReadonlyMap<MemoryId, readonly FoundBy[]>
  /** 0..1: how surely the query uses other words than the memories, so that shared words say little. */
  readonly inOtherWords: number
  /** The rarer a stem of the query or of a feedback memory is in this graph, the more it weighs. */
  readonly weight: (stem: string) => number
  /** Terms of the query expansion, with their weights. */
  readonly expansion: ReadonlyMap<string, number>
  /** The feedback memories, which the expansion was taken from. */
  readonly feedback: ReadonlySet<Entry>
  readonly retrieved: Retrieved
}

/** A first judgement of an entry, by its text alone. */
export interface First {
  /** 0..1: how near its meaning is to the query's; 0 if it is unrelated or was not read. */
  readonly meaning: number
  readonly bm25: number
  readonly coverage: number
  readonly score: number
}

export interface Wanted {
  readonly scope: ContextFilter | undefined
  readonly limit: number
  /** The query's vector, if it was read for meaning. */
  readonly vector?: Int8Array | undefined
}

interface Tools {
  readonly texts: TextCache
  readonly pause?: Pause | undefined
}

const CANDIDATES = 60
const FEEDBACK = 5
const STARTS = 8
/** Weights of the first order, set by hand: it only picks feedback memories and the starts of links. */
const COVERAGE = 0.5
const MEANING = 1.1
const SUPERSEDED_COSTS = 0.3
/**
 * For a query in other words than the memories, the best score by words is about `WEAK_WORDS`, within a few times `SPREAD`; for
 * any other query it is far higher.
 */
const WEAK_WORDS = 0.2
const SPREAD = 0.06

/** Retrieves by the words of the query, by its meaning, by query expansion, and then along links. */
export async function gather(
  knowledge: Knowledge,
  { texts, pause }: Tools,
  query: Query,
  { scope, limit: wanted, vector }: Wanted,
): Promise<Pool> {
  const limit = Math.max(CANDIDATES, wanted)
  const within = { limit, ...(scope && { scope }) }
  const retrieved = knowledge.retrieve({ terms: query.terms, ...within })
  const idf = new Map(retrieved.idf)
  const weight = (stem: string) => idf.get(stem) ?? 0
  const entries = new Map<MemoryId, Entry>()
  const nearnessOf = vector && cosineTo(vector)
  const cosines = new Map<MemoryId, number>()
  const foundBy = new Map<MemoryId, FoundBy[]>()
  const add = async (found: readonly Memory[], how: FoundBy) => {
    // Empty texts are refused today, but older graphs may have some.
    const memories = found.filter(({ text }) => text.trim() !== '')
    for (const { memoryId } of memories) {
      const ways = listOf(foundBy, memoryId)
      if (!ways.includes(how)) ways.push(how)
    }
    const fresh = memories.filter(({ memoryId }) => !entries.has(memoryId))
    for (const memory of fresh) {
      entries.set(memory.memoryId, toEntry(memory, texts))
      const turn = pause?.()
      if (turn !== undefined) await turn
    }
    if (nearnessOf === undefined) return
    for (const [id, own] of knowledge.vectors(fresh.map(({ memoryId }) => memoryId)))
      cosines.set(id, nearnessOf(own))
  }
  await add(
    retrieved.found.map(({ memory }) => memory),
    'words',
  )
  if (vector !== undefined) await add(knowledge.nearest({ vector, ...within }), 'meaning')
  if (scope !== undefined) await add(knowledge.latest(scope, limit), 'filter')
  const firsts = new Map<Entry, First>()
  const judge = (entry: Entry) => {
    const known = firsts.get(entry)
    if (known !== undefined) return known
    const near = cosines.get(entry.memory.memoryId) ?? 0
    const first = firstOf(entry, query, near, weight, retrieved.averageLength)
    firsts.set(entry, first)
    return first
  }
  const best = [...entries.values()]
    .map((entry) => ({ entry, score: judge(entry).score }))
    .sort((a, b) => b.score - a.score || a.entry.memory.seq - b.entry.memory.seq)
  const feedback = best.slice(0, FEEDBACK).filter(({ score }) => score > 0)
  const stems = new Set(feedback.flatMap(({ entry }) => [...entry.counts.keys()]))
  for (const [stem, value] of knowledge.weigh([...stems])) idf.set(stem, value)
  const expansion = expansionOf(query, feedback, weight)
  if (expansion.size > 0) {
    const further = knowledge.retrieve({ terms: [...expansion.keys()], ...within })
    await add(
      further.found.map(({ memory }) => memory),
      'words',
    )
  }
  const starts = best.slice(0, STARTS).map(({ entry }) => entry.memory.memoryId)
  const near = knowledge.neighbours(starts)
  await add(
    near.filter((memory) => isWithin(memory, scope)),
    'link',
  )
  const all = [...entries.values()]
  for (const entry of all) judge(entry)
  return {
    query,
    entries: all,
    firsts,
    foundBy,
    inOtherWords: vector === undefined ? 0 : otherWords(firsts.values()),
    weight,
    expansion,
    feedback: new Set(feedback.map(({ entry }) => entry)),
    retrieved,
  }
}

function firstOf(
  entry: Entry,
  { terms }: Query,
  near: number,
  weight: (stem: string) => number,
  averageLength: number,
): First {
  let whole = EPSILON
  let shared = 0
  let score = 0
  for (const term of terms) {
    const value = weight(term)
    const count = entry.counts.get(term)
    whole += value
    if (count === undefined) continue
    shared += value
    score += termScore(value, count, entry.length, averageLength)
  }
  const bm25 = score / whole
  const coverage = shared / whole
  const meaning = closeness(near)
  const superseded = entry.memory.trust.status === 'superseded' ? SUPERSEDED_COSTS : 0
  return {
    meaning,
    bm25,
    coverage,
    score: bm25 + COVERAGE * coverage + MEANING * meaning - superseded,
  }
}

function otherWords(firsts: Iterable<First>): number {
  let best = 0
  for (const { bm25 } of firsts) best = Math.max(best, bm25)
  return 1 / (1 + Math.exp((best - WEAK_WORDS) / SPREAD))
}

function isWithin({ contextId }: Memory, scope: ContextFilter | undefined): boolean {
  if (scope === undefined) return true
  return scope.contextIds.includes(contextId) || scope.types.includes(splitContextId(contextId).type)
}

const MAX_TERMS = 12

/**
 * Query expansion by pseudo-relevance feedback: the terms that weigh most in the memories that fit best. They find memories
 * that say the same in other words. Their weights sum up to 1.
 */
export function expansionOf(
  { terms }: Query,
  feedback: readonly { readonly entry: Entry; readonly score: number }[],
  weight: (stem: string) => number,
): ReadonlyMap<string, number> {
  const asked = new Set(terms)
  const weights = new Map<string, number>()
  for (const { entry, score } of feedback)
    for (const [term, count] of entry.counts)
      if (!asked.has(term))
        weights.set(term, (weights.get(term) ?? 0) + score * weight(term) * Math.min(count, 2))
  const best = [...weights].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).slice(0, MAX_TERMS)
  const whole = best.reduce((sum, [, value]) => sum + value, 0)
  return new Map(whole === 0 ? [] : best.map(([term, value]) => [term, value / whole]))
}
