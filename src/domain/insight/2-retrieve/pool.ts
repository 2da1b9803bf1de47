import type { Memory } from '../../model.js'
import { splitContextId } from '../../names.js'
import { termScore } from '../../search/bm25.js'
import type { ContextFilter, Knowledge, Retrieved } from '../../search/knowledge.js'
import { type Entry, EPSILON, eachStem, toEntry } from '../1-analyse/entry.js'
import type { EnginePorts } from '../1-analyse/ports.js'
import type { Query } from '../1-analyse/query.js'
import { expansionOf } from './expansion.js'
import { type Meaning, Meanings } from './meaning.js'

/** Everything that may bear on a query, and what is needed to weigh it. */
export interface Pool {
  readonly query: Query
  readonly entries: readonly Entry[]
  readonly firsts: ReadonlyMap<Entry, First>
  readonly meanings: Meanings
  /** The rarer a stem is in this graph, and in the language, the more it weighs. */
  readonly weight: (stem: string) => number
  /** Terms of the query expansion, with what each counts. */
  readonly expansion: ReadonlyMap<string, number>
  /** The feedback memories, which the expansion was taken from. */
  readonly feedback: ReadonlySet<Entry>
  readonly retrieved: Retrieved
}

/** A first opinion of an entry, from its own words alone. */
export interface First extends Meaning {
  readonly bm25: number
  readonly coverage: number
  readonly score: number
}

const CANDIDATES = 60
const FEEDBACK = 5
const STARTS = 8
/** A first order of candidates, set by hand: it only picks feedback memories and the starts of links. */
const COVERAGE = 0.5
const MEANING = 0.2
const SUPERSEDED_COSTS = 0.3

/** Retrieves by the words of the query, then by query expansion, then along links. */
export async function gather(
  knowledge: Knowledge,
  { lexicon, texts }: EnginePorts,
  query: Query,
  scope: ContextFilter | undefined,
  wanted: number,
): Promise<Pool> {
  const limit = Math.max(CANDIDATES, wanted)
  const within = { limit, ...(scope && { scope }) }
  const retrieved = await knowledge.retrieve({ terms: query.terms, ...within })
  const meanings = new Meanings(query, lexicon)
  const idf = new Map<string, number>()
  const weigh = (values: ReadonlyMap<string, number>) => {
    for (const [stem, value] of values) idf.set(stem, value * lexicon.rarity(stem))
  }
  weigh(retrieved.idf)
  const weight = (stem: string) => idf.get(stem) ?? 0
  const entries = new Map<string, Entry>()
  const add = async (memories: readonly Memory[]) => {
    const fresh = memories
      .filter(({ memoryId }) => !entries.has(memoryId))
      .map((memory) => toEntry(memory, texts))
    for (const entry of fresh) entries.set(entry.memory.memoryId, entry)
    const unweighed = new Set<string>()
    for (const entry of fresh)
      eachStem(entry, (stem) => {
        if (!idf.has(stem)) unweighed.add(stem)
      })
    weigh(await knowledge.weigh([...unweighed]))
  }
  await add(retrieved.found.map(({ memory }) => memory))
  if (scope !== undefined) await add(await knowledge.latest(scope, limit))
  const firsts = new Map<Entry, First>()
  const judge = (entry: Entry) => {
    const known = firsts.get(entry)
    if (known !== undefined) return known
    const first = firstOf(entry, query, meanings, weight, retrieved.averageLength)
    firsts.set(entry, first)
    return first
  }
  const best = [...entries.values()]
    .map((entry) => ({ entry, score: judge(entry).score }))
    .sort((a, b) => b.score - a.score || a.entry.memory.seq - b.entry.memory.seq)
  const feedback = best.slice(0, FEEDBACK).filter(({ score }) => score > 0)
  const expansion = expansionOf(query, feedback, weight)
  if (expansion.size > 0) {
    const further = await knowledge.retrieve({ terms: [...expansion.keys()], ...within })
    await add(further.found.map(({ memory }) => memory))
  }
  const starts = best.slice(0, STARTS).map(({ entry }) => entry.memory.memoryId)
  const near = await knowledge.neighbours(starts)
  await add(near.filter((memory) => isWithin(memory, scope)))
  const all = [...entries.values()]
  for (const entry of all) judge(entry)
  return {
    query,
    entries: all,
    firsts,
    meanings,
    weight,
    expansion,
    feedback: new Set(feedback.map(({ entry }) => entry)),
    retrieved,
  }
}

function firstOf(
  entry: Entry,
  { terms }: Query,
  meanings: Meanings,
  weight: (stem: string) => number,
  averageLength: number,
): First {
  let whole = EPSILON
  let held = 0
  let score = 0
  for (const term of terms) {
    const value = weight(term)
    const count = entry.counts.get(term)
    whole += value
    if (count === undefined) continue
    held += value
    score += termScore(value, count, entry.length, averageLength)
  }
  const bm25 = score / whole
  const coverage = held / whole
  const { embedding, thesaurus } = meanings.of(entry, weight)
  const superseded = entry.memory.trust.status === 'superseded' ? SUPERSEDED_COSTS : 0
  return {
    bm25,
    coverage,
    embedding,
    thesaurus,
    score: bm25 + COVERAGE * coverage + MEANING * (embedding + thesaurus) - superseded,
  }
}

function isWithin({ contextId }: Memory, scope: ContextFilter | undefined): boolean {
  if (scope === undefined) return true
  return scope.contextIds.includes(contextId) || scope.types.includes(splitContextId(contextId).type)
}
