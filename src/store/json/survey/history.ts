import type { MemoryId } from '../../../domain/model.js'
import { byCodeUnit } from '../../../domain/names.js'
import type { Paging } from '../../../domain/page.js'
import { type MemoryHistory, MOST_SUPERSEDED, type PastSupersession } from '../../../domain/survey/history.js'
import type { Supersession } from '../../../domain/trust/claims/types.js'
import type { ClaimTable } from '../../../domain/trust/table.js'
import type { MemoryRow } from '../rows/rows.js'
import type { Statements } from './statements.js'

/** The history of a memory (`GraphReader.history` says what). */
export function historyOf(
  row: MemoryRow,
  claims: ClaimTable,
  statements: Statements,
  { page, pageSize }: Paging,
): MemoryHistory {
  const toPast = (memoryId: MemoryId, superseded: Supersession | undefined): PastSupersession[] =>
    superseded === undefined
      ? []
      : [{ memoryId, ...superseded, recordedAt: statements.timeOf(superseded.place) }]
  const claim = claims.get(row.id)
  const replaced = Array.from(claims.supersedes(row.id), (id) => ({ id, gone: claims.get(id)?.superseded }))
  const { statements: items, total } = statements.of(row, page * pageSize, pageSize)
  return {
    items,
    total,
    page,
    pageSize,
    supersedes: replaced
      .sort((a, b) => (a.gone?.place ?? 0) - (b.gone?.place ?? 0) || byCodeUnit(a.id, b.id))
      .slice(0, MOST_SUPERSEDED)
      .flatMap(({ id, gone }) => toPast(id, gone)),
    supersededBy: [...(claim?.supersededBy ?? [])]
      .sort(byCodeUnit)
      .flatMap((id) => toPast(id, claim?.superseded)),
  }
}
