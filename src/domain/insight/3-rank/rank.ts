import type { Memory } from '../../model.js'
import type { Pool } from '../2-retrieve/pool.js'
import { FEATURES, type Features } from './features.js'

/** How a memory was found. */
export type FoundBy = 'words' | 'meaning' | 'link'

export interface Ranked {
  readonly memory: Memory
  readonly foundBy: readonly FoundBy[]
  /** What the order is by; comparable within one query only. */
  readonly score: number
  readonly features: Features
}

/** The entries of a pool in the order of how well they fit, ties by order of recording. */
export function rank({ entries }: Pool, features: readonly Features[], weights: Features): Ranked[] {
  return entries
    .flatMap(({ memory }, i) => {
      const own = features[i]
      // TODO-MERGE: how it was found is known to the pool.
      const foundBy: readonly FoundBy[] = ['words']
      return own === undefined ? [] : [{ memory, foundBy, features: own, score: scoreOf(own, weights) }]
    })
    .sort((a, b) => b.score - a.score || a.memory.seq - b.memory.seq)
}

/** Below this share of the best score a memory is noise. */
const FLOOR = 0.2

/** The best of the ranked, at most `limit`, noise left out. */
export function worthwhile(ranked: readonly Ranked[], limit: number): readonly Ranked[] {
  const best = ranked[0]?.score ?? 0
  return ranked.slice(0, limit).filter(({ score }) => score > 0 && score >= FLOOR * best)
}

export function scoreOf(features: Features, weights: Features): number {
  let score = 0
  for (const feature of FEATURES) score += features[feature] * weights[feature]
  return score
}
