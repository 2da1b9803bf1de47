import type { Recorded } from '../../../domain/trust/claims/types.js'
import { createYielding } from '../../../loop/yielding.js'
import { BulkWrite } from '../connection/bulk-write.js'
import type { Session } from '../connection/session.js'
import type { ClaimsSoFar } from '../trust/claims-so-far.js'
import type { Change } from './change.js'
import { flushClaims } from './flush-claims.js'
import { flushContexts } from './flush-contexts.js'
import { flushHistory } from './flush-history.js'
import { flushLinks } from './flush-links.js'
import { flushMemories } from './flush-memories.js'
import { flushTerms } from './flush-terms.js'
import { flushTotals } from './flush-totals.js'

const SAVE_GRAPH = {
  name: 'save-graph',
  text: `UPDATE graphs SET last_seq = $2, last_id = $3, last_recorded_at = $4, newest_at = $5, memories = $6,
    total_length = $7, last_context_no = $8, last_place = $9, stated_at = $10 WHERE graph_id = $1`,
}

/** Writes down what changed, table by table, each in one statement or two. */
export async function flush(
  session: Session,
  graphId: string,
  change: Change,
  claims: ClaimsSoFar,
  recorded: readonly Recorded[],
): Promise<void> {
  const tables = new BulkWrite(session, graphId)
  const { graph } = change
  const saved = session.rows(SAVE_GRAPH, [
    graphId,
    graph.last_seq,
    graph.last_id,
    graph.last_recorded_at,
    graph.newest_at,
    graph.memories,
    graph.total_length,
    graph.last_context_no,
    graph.last_place,
    graph.stated_at,
  ])
  saved.catch(() => undefined)
  const yielding = createYielding()
  flushContexts(tables, change)
  await flushMemories(tables, change, claims, yielding)
  await flushClaims(tables, claims, recorded, { yielding })
  await yielding()
  await flushHistory(tables, claims.steps, yielding)
  await yielding()
  flushTotals(tables, change)
  const words = flushTerms(tables, change)
  words.catch(() => undefined)
  await yielding()
  await flushLinks(tables, change)
  await words
  await saved
  await tables.done()
}
