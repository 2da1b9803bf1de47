import { isMemoryId } from '../../../domain/ids.js'
import type { ContextId, MemoryId } from '../../../domain/model.js'
import type { TextCache } from '../../../domain/text-cache.js'
import { MOST_CONSIDERED } from '../../../domain/trust/trust.js'
import type { Session } from '../connection/session.js'
import { type Document, documentOf } from '../schema/document.js'
import {
  type ContextState,
  type GraphRow,
  type IndexedRecord,
  linksOf,
  type MemoryState,
  payloadOf,
} from '../schema/rows.js'
import { termKey } from '../search/postings.js'
import type { LoadedState, Recent } from './change.js'

const COLUMNS = 'context_no, context_id, memories, agreements, created_at, updated_at'
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
  text: `SELECT m.*, c.context_id,
      ARRAY(SELECT x.memory_seq FROM contradictions x WHERE x.graph_id = $1 AND x.by_seq = m.seq) AS contradicts
    FROM unnest($2::text[]) AS wanted(id) CROSS JOIN LATERAL (
      SELECT seq, memory_id, context_no, links, times_seen, sighted, agreements, payload
      FROM memories WHERE graph_id = $1 AND memory_id = wanted.id OFFSET 0) m
    CROSS JOIN LATERAL (SELECT context_id FROM contexts WHERE graph_id = $1 AND context_no = m.context_no OFFSET 0) c`,
}
const RECENT = {
  name: 'load-recent',
  text: `SELECT c.context_id, m.seq, m.payload FROM unnest($2::text[]) AS wanted(id)
    CROSS JOIN LATERAL (SELECT context_no, context_id FROM contexts
      WHERE graph_id = $1 AND context_id = wanted.id OFFSET 0) c
    CROSS JOIN LATERAL (SELECT seq, payload FROM memories WHERE graph_id = $1 AND context_no = c.context_no
      ORDER BY seq DESC LIMIT $3) m
    ORDER BY m.seq`,
}
const HOLDING = {
  name: 'load-holding',
  text: 'SELECT term, holding FROM terms WHERE graph_id = $1 AND term = ANY($2)',
}

interface MemoryColumns {
  readonly seq: number
  readonly memory_id: string
  readonly context_no: number
  readonly context_id: string
  readonly links: string | null
  readonly times_seen: number
  readonly sighted: readonly number[]
  readonly agreements: number
  readonly contradicts: readonly number[]
  readonly payload: string
}

/** Everything that applying the records needs to know of the graph. */
export async function load(
  session: Session,
  graphId: string,
  graph: GraphRow,
  records: readonly IndexedRecord[],
  texts: TextCache,
): Promise<LoadedState> {
  const named = namedIn(records)
  const [rows, contexts, recent] = await Promise.all([
    named.memories.length === 0 || graph.memories === 0
      ? []
      : session.rows<MemoryColumns>(MEMORIES, [graphId, named.memories]),
    loadContexts(session, graphId, graph, named),
    loadRecent(session, graphId, named.contradicted, texts),
  ])
  const memories = new Map<MemoryId, MemoryState>()
  const compared = named.contradicted.length > 0 ? texts : undefined
  for (const row of rows) {
    const context = contexts.get(row.context_id)
    if (context !== undefined) memories.set(row.memory_id, toState(row, context, compared))
  }
  const documents = [
    ...[...recent.values()].flat().map(({ document }) => document),
    ...Array.from(memories.values(), ({ document }) => document ?? []).flat(),
    ...records.flatMap((record) => (record.op === 'recorded' && compared ? record.document : [])),
  ]
  return { graph, contexts, memories, recent, holding: await loadHolding(session, graphId, documents) }
}

function namedIn(records: readonly IndexedRecord[]) {
  const contexts = new Set<ContextId>()
  const memories = new Set<MemoryId>()
  const contradicted = new Set<ContextId>()
  for (const record of records) {
    if (record.op === 'recorded') contexts.add(record.context)
    else memories.add(record.id)
    for (const { kind, target } of record.links) {
      if (isMemoryId(target)) memories.add(target)
      else contexts.add(target)
      if (kind === 'contradiction' && !isMemoryId(target)) contradicted.add(target)
    }
  }
  return { contexts: [...contexts], memories: [...memories], contradicted: [...contradicted] }
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
    memories: number
    agreements: number
    created_at: string
    updated_at: string
  }>(CONTEXTS, [graphId, named.contexts, named.memories])
  for (const row of rows)
    contexts.set(row.context_id, {
      no: row.context_no,
      id: row.context_id,
      createdAt: row.created_at,
      isNew: false,
      memories: row.memories,
      added: 0,
      agreements: row.agreements,
      updatedAt: row.updated_at,
      changed: false,
    })
  return contexts
}

/** A memory that contradicts when it is seen again is compared with others by its document: with `texts`, it has one. */
function toState(row: MemoryColumns, context: ContextState, texts: TextCache | undefined): MemoryState {
  return {
    seq: row.seq,
    id: row.memory_id,
    context,
    fresh: undefined,
    document: texts && documentOf(payloadOf(row.payload), row.context_id, texts),
    contradicts: new Set(row.contradicts),
    links: linksOf(row.links),
    timesSeen: row.times_seen,
    sighted: row.sighted,
    agreements: row.agreements,
    changed: false,
  }
}

async function loadRecent(session: Session, graphId: string, ids: readonly ContextId[], texts: TextCache) {
  const recent = new Map<ContextId, Recent[]>(ids.map((id) => [id, []]))
  if (ids.length === 0) return recent
  const rows = await session.rows<{ context_id: string; seq: number; payload: string }>(RECENT, [
    graphId,
    ids,
    MOST_CONSIDERED + 1,
  ])
  for (const row of rows)
    recent
      .get(row.context_id)
      ?.push({ seq: row.seq, document: documentOf(payloadOf(row.payload), row.context_id, texts) })
  return recent
}

async function loadHolding(
  session: Session,
  graphId: string,
  documents: readonly Document[],
): Promise<Map<string, number>> {
  const holding = new Map<string, number>()
  const terms = new Map<string, string>()
  for (const { counts } of documents) for (const term of counts.keys()) terms.set(termKey(term), term)
  if (terms.size === 0) return holding
  const rows = await session.rows<{ term: string; holding: number }>(HOLDING, [graphId, [...terms.keys()]])
  for (const row of rows) holding.set(terms.get(row.term) ?? row.term, row.holding)
  return holding
}
