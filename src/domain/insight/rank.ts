import type { Memory } from '../model.js'
import { FEATURES, type Features } from './features.js'
import type { FoundBy, Pool } from './pool.js'

export interface Ranked {
  readonly memory: Memory
  readonly foundBy: readonly FoundBy[]
  /** Memories are ranked by it; comparable within one query only. */
  readonly score: number
  readonly features: Features
}

/** The memories of a graph that fit a text, the best first. */
export interface Found {
  readonly pool: Pool
  readonly ranked: readonly Ranked[]
}

/** The entries of a pool in the order of how well they fit, ties by order of recording. */
export function rank({ entries, foundBy }: Pool, features: readonly Features[], weights: Features): Ranked[] {
  return entries
    .flatMap(({ memory }, i) => {
      const own = features[i]
      const how = foundBy.get(memory.memoryId) ?? []
      return own === undefined ? [] : [{ memory, foundBy: how, features: own, score: scoreOf(own, weights) }]
    })
    .sort((a, b) => b.score - a.score || a.memory.seq - b.memory.seq)
}

/** A score that is lower by this much is 1/e as relevant: scores are logarithms of odds. */
const SCALE = 3
/** Below this relevance a memory is noise. */
const FLOOR = 0.07

/** 0..1: how relevant a memory is, relative to the best. */
export function relevanceOf({ score }: Ranked, best: Ranked): number {
  return Math.exp((score - best.score) / SCALE)
}

/** Does a memory fit by itself or by a link, and not only by the query expansion or its context? */
function isItself({ score, features }: Ranked): boolean {
  const { meaning, bm25, adjacent, reinforces, reinforced, extended, replaces } = features
  return score > 0 && meaning + bm25 + adjacent + reinforces + reinforced + extended + replaces > 0
}

/** The best of the ranked memories, at most `limit`, without noise. A memory that the best one replaced is no noise. */
export function worthwhile(ranked: readonly Ranked[], limit: number): readonly Ranked[] {
  const [best] = ranked
  if (best === undefined) return []
  const isWorth = (item: Ranked) =>
    relevanceOf(item, best) >= FLOOR || item.memory.trust.supersededBy.includes(best.memory.memoryId)
  return ranked.slice(0, limit).filter((item) => isItself(item) && isWorth(item))
}

function scoreOf(features: Features, weights: Features): number {
  let score = 0
  for (const feature of FEATURES) score += features[feature] * weights[feature]
  return score
}
