import { isMemoryId } from '../../../domain/ids.js'
import type { ContextId, MemoryId } from '../../../domain/model.js'
import type { Session } from '../connection/session.js'
import {
  type ContextState,
  type GraphRow,
  type IndexedRecord,
  linksOf,
  type MemoryState,
} from '../schema/rows.js'
import type { LoadedState } from './change.js'

const COLUMNS = 'context_no, context_id, seq, memories, created_at, updated_at'
const CONTEXTS = {
  name: 'load-contexts',
  text: `SELECT c.* FROM unnest($2::text[]) AS wanted(id) CROSS JOIN LATERAL (
      SELECT ${COLUMNS} FROM contexts WHERE graph_id = $1 AND context_id = wanted.id OFFSET 0) c
    UNION
    SELECT c.* FROM unnest($3::text[]) AS wanted(id) CROSS JOIN LATERAL (
      SELECT context_no FROM memories WHERE graph_id = $1 AND memory_id = wanted.id OFFSET 0) m
    CROSS JOIN LATERAL (SELECT ${COLUMNS} FROM contexts WHERE graph_id = $1 AND context_no = m.context_no OFFSET 0) c`,
}
const MEMORIES = {
  name: 'load-memories',
  text: `SELECT m.*, c.context_id FROM unnest($2::text[]) AS wanted(id) CROSS JOIN LATERAL (
      SELECT seq, memory_id, context_no, links, times_seen, coalesce(last_occurred_at, occurred_at) AS occurred_at,
        last_valid_until
      FROM memories WHERE graph_id = $1 AND memory_id = wanted.id OFFSET 0) m
    CROSS JOIN LATERAL (SELECT context_id FROM contexts WHERE graph_id = $1 AND context_no = m.context_no OFFSET 0) c`,
}

interface MemoryColumns {
  readonly seq: number
  readonly memory_id: string
  readonly context_no: number
  readonly context_id: string
  readonly links: string | null
  readonly times_seen: number
  readonly occurred_at: string
  readonly last_valid_until: string | null
}

/** Everything that applying the records needs to know of the graph. */
export async function load(
  session: Session,
  graphId: string,
  graph: GraphRow,
  records: readonly IndexedRecord[],
): Promise<LoadedState> {
  const named = namedIn(records)
  const [rows, contexts] = await Promise.all([
    named.memories.length === 0 || graph.memories === 0
      ? []
      : session.rows<MemoryColumns>(MEMORIES, [graphId, named.memories]),
    loadContexts(session, graphId, graph, named),
  ])
  const memories = new Map<MemoryId, MemoryState>()
  for (const row of rows) {
    const context = contexts.get(row.context_id)
    if (context !== undefined) memories.set(row.memory_id, toState(row, context))
  }
  return { graph, contexts, memories }
}

function namedIn(records: readonly IndexedRecord[]) {
  const contexts = new Set<ContextId>()
  const memories = new Set<MemoryId>()
  for (const record of records) {
    if (record.op === 'recorded') contexts.add(record.context)
    else memories.add(record.id)
    for (const { target } of record.links) {
      if (isMemoryId(target)) memories.add(target)
      else contexts.add(target)
    }
  }
  return { contexts: [...contexts], memories: [...memories] }
}

async function loadContexts(
  session: Session,
  graphId: string,
  graph: GraphRow,
  named: { readonly contexts: readonly ContextId[]; readonly memories: readonly MemoryId[] },
): Promise<Map<ContextId, ContextState>> {
  const contexts = new Map<ContextId, ContextState>()
  if (graph.last_context_no === 0) return contexts
  const rows = await session.rows<{
    context_no: number
    context_id: string
    seq: number
    memories: number
    created_at: string
    updated_at: string
  }>(CONTEXTS, [graphId, named.contexts, named.memories])
  for (const row of rows)
    contexts.set(row.context_id, {
      no: row.context_no,
      id: row.context_id,
      seq: row.seq,
      createdAt: row.created_at,
      isNew: false,
      memories: row.memories,
      added: 0,
      updatedAt: row.updated_at,
      changed: false,
    })
  return contexts
}

function toState(row: MemoryColumns, context: ContextState): MemoryState {
  return {
    seq: row.seq,
    id: row.memory_id,
    context,
    fresh: undefined,
    links: linksOf(row.links),
    timesSeen: row.times_seen,
    occurredAt: row.occurred_at,
    validUntil: row.last_valid_until ?? undefined,
    changed: false,
  }
}
