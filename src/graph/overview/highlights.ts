import type { MemoryId } from '../../domain/model.js'
import { bestOf } from '../../domain/survey/best-of.js'
import { firstBases, MAX_DECISIONS, MOST_EVENTS, mostConfirmed } from '../../domain/survey/highlights.js'
import { rankOf } from '../../domain/trust/claims/rank.js'
import type { Claim } from '../../domain/trust/claims/types.js'
import { type ClaimsAt, holds } from '../../domain/trust/claims-at.js'
import type { MemoryRow } from '../rows.js'

interface Highlighted {
  readonly rows: readonly MemoryRow[]
  readonly decisions: readonly MemoryRow[]
  /** The memories of the latest repeats. */
  readonly repeated: readonly MemoryRow[]
  readonly claims: ClaimsAt
}

/** The ids of the memories for `Survey.highlights`, computed in small steps. */
export function* highlightsOf({ rows, decisions, repeated, claims }: Highlighted, limit: number) {
  function* standing(all: readonly MemoryRow[], count: number): Generator<void, MemoryId[]> {
    const found: MemoryRow[] = []
    for (const row of all.slice(-count)) {
      if (holds(claims.whole(row.id))) found.push(row)
      yield
    }
    const first = bestOf(found, limit, (a, b) => rankOf(b.source) - rankOf(a.source) || b.number - a.number)
    return first.map(({ id }) => id)
  }
  const ids = new Set(repeated.map(({ id }) => id))
  for (const { id } of rows.slice(-MOST_EVENTS)) {
    const claim = claims.whole(id)
    ids.add(id)
    if (claim !== undefined) for (const base of firstBases(claim)) ids.add(base)
    yield
  }
  const candidates: Claim[] = []
  for (const id of ids) {
    const claim = claims.whole(id)
    if (claim !== undefined) candidates.push(claim)
    yield
  }
  return {
    decisions: yield* standing(decisions, MAX_DECISIONS),
    confirmed: mostConfirmed(candidates, limit).map(({ id }) => id),
    latest: yield* standing(rows, MOST_EVENTS),
  }
}
