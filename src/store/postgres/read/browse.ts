import { contextNotFound, memoryNotFound } from '../../../domain/failure.js'
import type { Context, ContextId, GraphId, Memory, TypeCount } from '../../../domain/model.js'
import type { Page, Paging } from '../../../domain/page.js'
import type { Session } from '../connection/session.js'
import { type ContextColumns, toContext } from '../schema/rows.js'
import { memoriesAt } from './memories.js'

const TYPES = {
  name: 'context-types',
  text: `SELECT context_type, contexts FROM context_types WHERE graph_id = $1 ORDER BY sort_key LIMIT $2 OFFSET $3`,
}
const TYPE_TOTAL = {
  name: 'context-types-total',
  text: 'SELECT count(*) AS total FROM context_types WHERE graph_id = $1',
}
const CONTEXTS = {
  name: 'contexts-of-type',
  text: `SELECT context_no, context_id, context_type, context_name, memories, created_at, updated_at
    FROM contexts WHERE graph_id = $1 AND context_type = $2 ORDER BY sort_key LIMIT $3 OFFSET $4`,
}
const OF_TYPE = {
  name: 'contexts-of-type-total',
  text: 'SELECT contexts AS total FROM context_types WHERE graph_id = $1 AND context_type = $2',
}
const CONTEXT = {
  name: 'context',
  text: `SELECT context_no, context_id, context_type, context_name, memories, created_at, updated_at
    FROM contexts WHERE graph_id = $1 AND context_id = $2`,
}
const OF_CONTEXT = {
  name: 'memories-of-context',
  text: `SELECT seq FROM memories WHERE graph_id = $1
      AND context_no = (SELECT context_no FROM contexts WHERE graph_id = $1 AND context_id = $2)
    ORDER BY seq DESC LIMIT $3 OFFSET $4`,
}
const BY_ID = {
  name: 'memory-by-id',
  text: 'SELECT seq FROM memories WHERE graph_id = $1 AND memory_id = $2',
}

interface Total {
  readonly total: number
}

export async function contextTypes(
  session: Session,
  graphId: GraphId,
  paging: Paging,
): Promise<Page<TypeCount>> {
  const [limit, before] = window(paging)
  const rows = await session.rows<{ context_type: string; contexts: number }>(TYPES, [graphId, limit, before])
  const items = rows.map(({ context_type, contexts }) => ({ contextType: context_type, count: contexts }))
  // A page that is not full is the last one, unless it lies behind it.
  const isLast = rows.length < limit && (rows.length > 0 || before === 0)
  const total = isLast ? before + rows.length : (await session.row<Total>(TYPE_TOTAL, [graphId]))?.total
  return { items, total: total ?? 0, ...paging }
}

export async function contextsOfType(
  session: Session,
  graphId: GraphId,
  type: string,
  paging: Paging,
): Promise<Page<Context>> {
  const [rows, counted] = await Promise.all([
    session.rows<ContextColumns>(CONTEXTS, [graphId, type, ...window(paging)]),
    session.row<Total>(OF_TYPE, [graphId, type]),
  ])
  return { items: rows.map(toContext), total: counted?.total ?? 0, ...paging }
}

/** One context as it is kept, or `context_not_found`. */
export async function contextRow(
  session: Session,
  graphId: GraphId,
  contextId: ContextId,
): Promise<ContextColumns> {
  const row = await session.row<ContextColumns>(CONTEXT, [graphId, contextId])
  if (row === undefined) throw contextNotFound(contextId)
  return row
}

export async function contextMemories(
  session: Session,
  graphId: GraphId,
  contextId: ContextId,
  paging: Paging,
): Promise<Page<Memory>> {
  const [context, rows] = await Promise.all([
    contextRow(session, graphId, contextId),
    session.rows<{ seq: number }>(OF_CONTEXT, [graphId, contextId, ...window(paging)]),
  ])
  const items = await memoriesAt(
    session,
    graphId,
    rows.map(({ seq }) => seq),
  )
  return { items, total: context.memories, ...paging }
}

export async function memoryById(session: Session, graphId: GraphId, memoryId: string): Promise<Memory> {
  const row = await session.row<{ seq: number }>(BY_ID, [graphId, memoryId])
  const [memory] = row === undefined ? [] : await memoriesAt(session, graphId, [row.seq])
  if (memory === undefined) throw memoryNotFound(memoryId)
  return memory
}

function window({ page, pageSize }: Paging): [limit: number, offset: number] {
  return [pageSize, page * pageSize]
}

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
