import type { MemoryId } from '../../../domain/model.js'
import { firstBases, MOST_DECISIONS, MOST_EVENTS, mostConfirmed } from '../../../domain/survey/highlights.js'
import { stands } from '../../../domain/trust/claims/claims.js'
import type { ClaimTable } from '../../../domain/trust/table.js'
import type { MemoryRow } from '../rows/rows.js'

interface Highlighted {
  readonly rows: readonly MemoryRow[]
  readonly decisions: readonly MemoryRow[]
  /** The memories of the latest repeats. */
  readonly repeated: readonly MemoryRow[]
  readonly claims: ClaimTable
}

/** The memories that `GraphReader.highlights` tells, by id. */
export function highlightsOf({ rows, decisions, repeated, claims }: Highlighted, limit: number) {
  const standing = (all: readonly MemoryRow[], most: number): MemoryId[] =>
    all
      .slice(-most)
      .reverse()
      .filter(({ id }) => stands(claims.get(id)))
      .slice(0, limit)
      .map(({ id }) => id)
  const told = new Set(repeated.map(({ id }) => id))
  for (const { id } of rows.slice(-MOST_EVENTS)) {
    const claim = claims.get(id)
    told.add(id)
    for (const base of claim === undefined ? [] : firstBases(claim)) told.add(base)
  }
  const candidates = Array.from(told, (id) => claims.get(id) ?? []).flat()
  return {
    decisions: standing(decisions, MOST_DECISIONS),
    confirmed: mostConfirmed(candidates, limit).map(({ id }) => id),
    latest: standing(rows, MOST_EVENTS),
  }
}
