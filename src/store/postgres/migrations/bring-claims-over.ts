import { decidedAs, recordOf } from '../../../domain/events/recording.js'
import type { GraphId } from '../../../domain/model.js'
import { NOTHING_DECIDED, type Recorded } from '../../../domain/trust/claims/types.js'
import { BulkWrite } from '../connection/bulk-write.js'
import type { Session } from '../connection/session.js'
import { decisionsText } from '../schema/claims.js'
import { pages } from '../transfer/export.js'
import { ClaimsSoFar } from '../trust/claims-so-far.js'
import { flushClaims } from '../write/flush-claims.js'

const GRAPHS = { name: 'bring-over-graphs', text: 'SELECT graph_id, last_seq FROM graphs ORDER BY graph_id' }

/**
 * Decides the events of every graph as if they were recorded now, one after the other. It writes as recording does: a
 * later migration that changes these tables has to leave this one a copy of what it uses.
 */
export async function bringClaimsOver(session: Session): Promise<void> {
  const graphs = await session.rows<{ graph_id: GraphId; last_seq: number }>(GRAPHS)
  for (const { graph_id, last_seq } of graphs) await bringOver(session, graph_id, last_seq)
}

async function bringOver(session: Session, graphId: GraphId, last: number): Promise<void> {
  let lastSeq = 0
  for await (const events of pages(session, graphId, last)) {
    // Places begin as the numbers of the events.
    const records = events.map((event) => recordOf(event, event.place ?? 0, event.place ?? 0))
    const claims = await ClaimsSoFar.load(session, graphId, lastSeq, records)
    const recorded: Recorded[] = []
    for (const record of records) recorded.push(await claims.record(record))
    const tables = new BulkWrite(session, graphId)
    flushClaims(tables, claims, recorded, { areThere: true, hasPlaces: false })
    const decided = records.flatMap((record, i) => {
      const { op, seq, decisions } = decidedAs(record, recorded[i]?.decisions ?? NOTHING_DECIDED)
      return decisions === undefined ? [] : [{ op, seq, decisions }]
    })
    for (const [op, table] of [
      ['recorded', 'memories'],
      ['sighted', 'sightings'],
    ] as const) {
      const rows = decided.filter((one) => one.op === op)
      tables.update(`bring-over-${table}`, table, [
        ['seq', 'bigint', rows.map(({ seq }) => seq)],
        ['decisions', 'text', rows.map(({ decisions }) => decisionsText(decisions))],
      ])
    }
    await tables.done()
    lastSeq = records.at(-1)?.seq ?? lastSeq
  }
}
