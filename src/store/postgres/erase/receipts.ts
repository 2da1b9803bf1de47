import type { GraphId, MemoryId, Receipt } from '../../../domain/model.js'
import { BulkWrite, rowsAtATime } from '../connection/bulk-write.js'
import type { Session } from '../connection/session.js'

/** The kept answers that may name one of some memories. */
const NAMING = {
  name: 'answers-naming',
  text: `SELECT key, octet_length(receipts) AS letters FROM done_once WHERE graph_id = $1 AND EXISTS (
      SELECT FROM unnest($2::text[]) AS gone(id) WHERE strpos(receipts, gone.id) > 0)`,
}
const ALL = {
  name: 'kept-answers',
  text: 'SELECT key, octet_length(receipts) AS letters FROM done_once WHERE graph_id = $1',
}
const RECEIPTS = {
  name: 'kept-receipts',
  text: `SELECT d.key, d.receipts FROM unnest($2::text[]) AS wanted(key) CROSS JOIN LATERAL (
      SELECT key, receipts FROM done_once WHERE graph_id = $1 AND key = wanted.key OFFSET 0) d`,
}
/** The key stays used: to send the same write again does not bring back what was erased. */
const SPEND = {
  name: 'spend-keys',
  text: `UPDATE done_once SET body = '', receipts = '[]' WHERE graph_id = $1 AND key = ANY($2)`,
}
/** With more ids than these, it is quicker to look at every answer here. */
const FEW = 100

interface KeptAnswer {
  readonly key: string
  readonly receipts: string
}

/** Kept receipts go with a memory that they are for; what others did to an erased memory is no longer told. */
export async function forgetReceipts(
  session: Session,
  graphId: GraphId,
  ids: ReadonlySet<MemoryId>,
): Promise<void> {
  const found = await (ids.size > FEW
    ? session.rows<{ key: string; letters: number }>(ALL, [graphId])
    : session.rows<{ key: string; letters: number }>(NAMING, [graphId, [...ids]]))
  for (const some of rowsAtATime(found, ({ letters }) => letters)) {
    const keys = some.map(({ key }) => key)
    await forgetIn(session, graphId, ids, await session.rows<KeptAnswer>(RECEIPTS, [graphId, keys]))
  }
}

async function forgetIn(
  session: Session,
  graphId: GraphId,
  ids: ReadonlySet<MemoryId>,
  rows: readonly KeptAnswer[],
): Promise<void> {
  const kept = rows.map((row) => ({
    key: row.key,
    // The store wrote this text itself.
    receipts: JSON.parse(row.receipts) as Receipt[],
  }))
  const isGoing = (receipts: readonly Receipt[]) => receipts.some(({ memoryId }) => ids.has(memoryId))
  const going = kept.filter(({ receipts }) => isGoing(receipts))
  if (going.length > 0) await session.rows(SPEND, [graphId, going.map(({ key }) => key)])
  const tables = new BulkWrite(session, graphId)
  const isGone = ({ memoryId }: Receipt['bearsOn'][number]) => ids.has(memoryId)
  const changed = kept.filter(
    ({ receipts }) => !isGoing(receipts) && receipts.some(({ bearsOn }) => bearsOn.some(isGone)),
  )
  const cut = (receipt: Receipt): Receipt => ({
    ...receipt,
    bearsOn: receipt.bearsOn.filter((one) => !isGone(one)),
  })
  tables.update('cut-answers', 'done_once', [
    ['key', 'text', changed.map(({ key }) => key)],
    ['receipts', 'text', changed.map(({ receipts }) => JSON.stringify(receipts.map(cut)))],
  ])
  await tables.done()
}
