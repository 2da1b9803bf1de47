import { createYielding } from '../../../loop/yielding.js'
import type { BulkWrite } from '../connection/bulk-write.js'
import { Blocks } from '../search/blocks.js'
import { blockOf, entryOf, termKey } from '../search/postings.js'
import type { Change } from './change.js'

/** A batch may have a million words: about so many are written at a time, so that nothing else waits long for its turn. */
const AT_ONCE = 10_000
/** The same words may be in each of many long memories. */
const MOST_ENTRIES = 50_000

/** The words of the new memories: in how many each occurs, and where. */
export async function flushTerms(tables: BulkWrite, { memories }: Change): Promise<void> {
  let holding = new Map<string, number>()
  let blocks = new Blocks()
  let entries = 0
  const yielding = createYielding()
  for (const { seq, fresh } of memories.values()) {
    if (fresh === undefined) continue
    if (blocks.size >= AT_ONCE || entries >= MOST_ENTRIES) {
      await write(tables, holding, blocks)
      holding = new Map()
      blocks = new Blocks()
      entries = 0
    }
    const { counts, length } = fresh.document
    for (const [term, count] of counts) {
      const key = termKey(term)
      holding.set(key, (holding.get(key) ?? 0) + 1)
      blocks.add(key, blockOf(seq), entryOf(seq, count, length))
    }
    entries += counts.size
    await yielding()
  }
  await write(tables, holding, blocks)
}

async function write(tables: BulkWrite, holding: ReadonlyMap<string, number>, blocks: Blocks): Promise<void> {
  const terms = [...holding.keys()].sort()
  const counted = tables.insert(
    'terms',
    [
      ['term', 'text', terms],
      ['holding', 'integer', terms.map((term) => holding.get(term))],
    ],
    'ON CONFLICT (graph_id, term) DO UPDATE SET holding = terms.holding + excluded.holding',
  )
  await Promise.all([counted, blocks.flush(tables, 'postings', 'term')])
}
