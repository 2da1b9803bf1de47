import { SOURCES, type Source } from '../../model.js'
import type { Claim } from './types.js'

/** In whole hundredths, so that sums and comparisons are exact. */
const RANKS: Readonly<Record<Source, number>> = {
  validator: 90,
  executor: 80,
  user: 70,
  agent: 60,
  system: 50,
}

/** The most trusted first. */
export const BY_RANK: readonly Source[] = [...SOURCES].sort((a, b) => RANKS[b] - RANKS[a])

export function rankOf(source: Source): number {
  return RANKS[source]
}

/** The most trusted source that has stated the claim so far: the one that is shown, and gives the claim its rank. */
export function sourceOf({ own, echoes, rankFrom }: Claim): Source {
  const from = rankFrom?.place ?? 0
  const counts = (source: Source) => (own[source] ?? -1) >= from || (echoes[source] ?? 0) > 0
  // The source that brought the claim back counts even after its memory was superseded, so that the claim has a rank.
  return BY_RANK.find((source) => counts(source) || source === rankFrom?.source) ?? 'system'
}

/** Is a source weaker than the strongest that has stated the claim by its own event? */
export function isWeaker(source: Source, { own }: Claim): boolean {
  return BY_RANK.some((other) => own[other] !== undefined && RANKS[other] > RANKS[source])
}

/** Does a statement of this source outrank or equal the claim? */
export function prevails(source: Source, over: Claim): boolean {
  return RANKS[source] >= RANKS[sourceOf(over)]
}

/** The last place at which a source of at least this rank stated the claim, or any source. */
export function lastStated({ stated }: Claim, atLeast: Source = 'system'): number {
  let last = -1
  for (const source of BY_RANK)
    if (RANKS[source] >= RANKS[atLeast]) last = Math.max(last, stated[source] ?? -1)
  return last
}
