import type { GraphId, MemoryId } from '../../../domain/model.js'
import type { Page, Paging } from '../../../domain/page.js'
import type { Dispute } from '../../../domain/survey/lists.js'
import type { Session } from '../connection/session.js'
import { memoriesById } from './memories.js'

/** Each contradiction is kept from both sides; ids are in the order of recording. */
const DISPUTES = {
  name: 'open-disputes',
  text: `SELECT memory_id AS later, other_id AS earlier FROM disputes WHERE graph_id = $1 AND memory_id > other_id
    ORDER BY memory_id DESC, other_id DESC LIMIT $2 OFFSET $3`,
}
const TOTAL = {
  name: 'open-disputes-total',
  text: 'SELECT count(*) / 2 AS total FROM disputes WHERE graph_id = $1',
}

export async function openDisputes(
  session: Session,
  graphId: GraphId,
  { page, pageSize }: Paging,
): Promise<Page<Dispute>> {
  const [pairs, counted] = await Promise.all([
    session.rows<{ later: MemoryId; earlier: MemoryId }>(DISPUTES, [graphId, pageSize, page * pageSize]),
    session.row<{ total: number }>(TOTAL, [graphId]),
  ])
  const ids = new Set(pairs.flatMap(({ later, earlier }) => [later, earlier]))
  const memories = await memoriesById(session, graphId, [...ids])
  const byId = new Map(memories.map((memory) => [memory.memoryId, memory]))
  const items = pairs.flatMap((pair) => {
    const [earlier, later] = [byId.get(pair.earlier), byId.get(pair.later)]
    return earlier === undefined || later === undefined ? [] : { earlier, later }
  })
  return { items, total: counted?.total ?? 0, page, pageSize }
}
