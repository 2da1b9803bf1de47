import type { GraphId } from '../../../domain/model.js'
import { Changes } from '../../../domain/trust/claims/changes.js'
import { replay } from '../../../domain/trust/record.js'
import { ClaimTable } from '../../../domain/trust/table.js'
import { createYielding } from '../../../loop/yielding.js'
import { BulkWrite } from '../connection/bulk-write.js'
import type { Session } from '../connection/session.js'
import { type Step, stepsOf } from '../trust/step.js'
import { flushHistory } from '../write/flush-history.js'
import type { Reckoned } from './reckon.js'

const TABLES = ['claim_versions', 'superseded_once', 'dispute_changes'] as const

/** What claims connected with erased ones have been is now what the events that are left have made of them. */
export async function retell(
  session: Session,
  graphId: GraphId,
  { memories, remains }: Reckoned,
): Promise<void> {
  const ids = memories.map(({ memory_id }) => memory_id)
  for (const table of TABLES)
    await session.rows(
      {
        name: `erase-${table}`,
        text: `DELETE FROM ${table} WHERE graph_id = $1 AND memory_id = ANY($2)`,
      },
      [graphId, ids],
    )
  const table = new ClaimTable()
  const yielding = createYielding()
  const steps: Step[] = []
  for (const event of remains.events) {
    const changes = new Changes(table)
    replay(event, changes)
    steps.push(...stepsOf(event.place, changes, (id) => table.get(id)))
    table.commit(changes)
    await yielding()
  }
  const tables = new BulkWrite(session, graphId)
  await flushHistory(tables, steps)
  await tables.done()
}
