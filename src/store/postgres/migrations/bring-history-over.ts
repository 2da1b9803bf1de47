import { decidedAs, recordOf } from '../../../domain/events/recording.js'
import type { GraphId } from '../../../domain/model.js'
import type { Recorded } from '../../../domain/trust/claims/types.js'
import { BulkWrite } from '../connection/bulk-write.js'
import type { Session } from '../connection/session.js'
import { numberedPages } from '../transfer/export.js'
import { ClaimsSoFar } from '../trust/claims-so-far.js'
import { flushClaims } from '../write/flush-claims.js'
import { flushHistory } from '../write/flush-history.js'

const GRAPHS = { name: 'bring-over-graphs', text: 'SELECT graph_id, last_seq FROM graphs ORDER BY graph_id' }

/**
 * Applies the events of every graph as they were decided, one after the other, and writes what they do as recording does:
 * a later migration that changes these tables has to leave this one a copy of what it uses.
 */
export async function bringHistoryOver(session: Session): Promise<void> {
  const graphs = await session.rows<{ graph_id: GraphId; last_seq: number }>(GRAPHS)
  for (const { graph_id, last_seq } of graphs) await bringOver(session, graph_id, last_seq)
}

async function bringOver(session: Session, graphId: GraphId, last: number): Promise<void> {
  let lastSeq = 0
  for await (const events of numberedPages(session, graphId, last)) {
    const records = events.map(({ seq, event }) => {
      const record = recordOf(event, seq, event.place ?? seq)
      return event.decisions === undefined ? record : decidedAs(record, event.decisions)
    })
    const claims = await ClaimsSoFar.load(session, graphId, lastSeq, records)
    const recorded: Recorded[] = []
    for (const record of records) recorded.push(await claims.replay(record))
    const tables = new BulkWrite(session, graphId)
    await flushClaims(tables, claims, recorded, { areThere: true })
    await flushHistory(tables, claims.steps)
    await tables.done()
    lastSeq = records.at(-1)?.seq ?? lastSeq
  }
}
