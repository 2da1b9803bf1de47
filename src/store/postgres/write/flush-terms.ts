import type { BulkWrite } from '../connection/bulk-write.js'
import { Blocks } from '../search/blocks.js'
import { blockOf, entryOf, termKey } from '../search/postings.js'
import type { Change } from './change.js'

/** The words of the new memories: in how many each occurs, and where. */
export function flushTerms(tables: BulkWrite, { memories }: Change): void {
  const holding = new Map<string, number>()
  const blocks = new Blocks()
  for (const { seq, fresh } of memories.values()) {
    if (fresh === undefined) continue
    const { counts, length } = fresh.document
    for (const [term, count] of counts) {
      const key = termKey(term)
      holding.set(key, (holding.get(key) ?? 0) + 1)
      blocks.add(key, blockOf(seq), entryOf(seq, count, length))
    }
  }
  const terms = [...holding.keys()].sort()
  tables.insert(
    'terms',
    [
      ['term', 'text', terms],
      ['holding', 'integer', terms.map((term) => holding.get(term))],
    ],
    'ON CONFLICT (graph_id, term) DO UPDATE SET holding = terms.holding + excluded.holding',
  )
  blocks.flush(tables, 'postings', 'term')
}
