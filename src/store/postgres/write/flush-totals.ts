import type { BulkWrite } from '../connection/bulk-write.js'
import type { Change } from './change.js'

/** What the new statements add to what those beside them add up to. */
export function flushTotals(tables: BulkWrite, { totals }: Change): void {
  const rows = [...totals.values()]
  tables.insert(
    'totals',
    [
      ['block', 'bigint', [...totals.keys()]],
      ['memories', 'integer', rows.map(({ memories }) => memories)],
      ['total_length', 'bigint', rows.map(({ length }) => length)],
      ['newest_at', 'text', rows.map(({ newestAt }) => newestAt)],
    ],
    `ON CONFLICT (graph_id, block) DO UPDATE SET memories = totals.memories + excluded.memories,
      total_length = totals.total_length + excluded.total_length,
      newest_at = greatest(totals.newest_at, excluded.newest_at)`,
  )
}
