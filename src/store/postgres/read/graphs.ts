import type { GraphId } from '../../../domain/model.js'
import type { Page, Paging } from '../../../domain/page.js'
import type { Session } from '../connection/session.js'

/** The only statements that look at more than one graph. */
const LIST = {
  name: 'list-graphs',
  text: `SELECT graph_id FROM graphs WHERE $1::text[] IS NULL OR graph_id = ANY($1) ORDER BY graph_id LIMIT $2 OFFSET $3`,
}
const TOTAL = {
  name: 'count-graphs',
  text: 'SELECT count(*) AS total FROM graphs WHERE $1::text[] IS NULL OR graph_id = ANY($1)',
}

export async function listGraphs(
  session: Session,
  reach: readonly GraphId[] | undefined,
  paging: Paging,
): Promise<Page<GraphId>> {
  const { page, pageSize } = paging
  const rows = await session.rows<{ graph_id: string }>(LIST, [reach ?? null, pageSize, page * pageSize])
  const counted = await session.row<{ total: number }>(TOTAL, [reach ?? null])
  return { items: rows.map(({ graph_id }) => graph_id), total: counted?.total ?? 0, ...paging }
}
