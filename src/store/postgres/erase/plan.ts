import { memoryNotFound } from '../../../domain/failure.js'
import {
  type ContextId,
  type Erasure,
  type GraphId,
  type MemoryId,
  MOST_ERASED_IDS,
} from '../../../domain/model.js'
import type { Plan } from '../../../graph/records.js'
import type { Session } from '../connection/session.js'
import { contextRow } from '../read/browse.js'
import { linksOf } from '../schema/rows.js'

const BY_ID = {
  name: 'erase-by-id',
  text: 'SELECT seq FROM memories WHERE graph_id = $1 AND memory_id = $2',
}
const OF_CONTEXT = {
  name: 'erase-of-context',
  text: 'SELECT seq FROM memories WHERE graph_id = $1 AND context_no = $2 ORDER BY seq',
}
const GOING = {
  name: 'erase-going',
  text: `SELECT m.* FROM unnest($2::bigint[]) AS wanted(seq) CROSS JOIN LATERAL (
      SELECT seq, memory_id, context_no, links, length FROM memories
      WHERE graph_id = $1 AND seq = wanted.seq OFFSET 0) m ORDER BY m.seq`,
}
const NAMING = {
  name: 'erase-naming',
  text: `SELECT m.* FROM (SELECT DISTINCT l.by_seq FROM unnest($2::bigint[]) AS wanted(seq) CROSS JOIN LATERAL (
        SELECT by_seq FROM memory_links WHERE graph_id = $1 AND target_seq = wanted.seq OFFSET 0) l) l
    CROSS JOIN LATERAL (SELECT memory_id, links FROM memories WHERE graph_id = $1 AND seq = l.by_seq OFFSET 0) m`,
}
/** Contexts that lose a memory or a link. */
const LOSING = {
  name: 'erase-losing',
  text: `SELECT context_no, context_id, memories FROM contexts
    WHERE graph_id = $1 AND (context_no = ANY($2) OR context_id = ANY($3))`,
}
/** Which of these contexts does a memory link to that stays? */
const LINKED = {
  name: 'erase-linked',
  text: `SELECT wanted.context_no FROM unnest($2::integer[], $3::text[]) AS wanted(context_no, context_id)
    WHERE EXISTS (SELECT FROM relations r
      JOIN speakers s ON s.graph_id = $1 AND s.from_no = r.from_no AND s.kind = r.kind AND s.to_no = r.to_no
      JOIN memories m ON m.graph_id = $1 AND m.seq = s.by_seq
      WHERE r.graph_id = $1 AND r.to_no = wanted.context_no AND s.by_seq NOT IN (SELECT unnest($4::bigint[]))
        AND EXISTS (SELECT FROM json_array_elements(m.links::json) AS l(link) WHERE l.link->>1 = wanted.context_id))`,
}
const EVERYTHING = {
  name: 'erase-everything-counts',
  text: `SELECT g.memories, (SELECT count(*) FROM contexts c WHERE c.graph_id = $1) AS contexts,
      (SELECT coalesce(sum(json_array_length(m.links::json)), 0)::bigint FROM memories m
        WHERE m.graph_id = $1 AND m.links IS NOT NULL) AS relationships
    FROM graphs g WHERE g.graph_id = $1`,
}
const FIRST_IDS = {
  name: 'erase-first-ids',
  text: 'SELECT memory_id FROM memories WHERE graph_id = $1 ORDER BY seq LIMIT $2',
}

/** What goes, and what loses something by it; all lists are empty when everything goes. */
export interface ErasurePlan extends Plan {
  readonly going: readonly Going[]
  /** The memories left that link to one that goes. */
  readonly naming: readonly MemoryId[]
  readonly contexts: readonly LosingContext[]
}

export interface Going {
  readonly seq: number
  readonly memory_id: MemoryId
  readonly context_no: number
  readonly links: string | null
  readonly length: number
}

/** A context that loses memories or links, or goes. */
export interface LosingContext {
  readonly context_no: number
  readonly context_id: ContextId
  readonly memories: number
  /** How many of its memories go. */
  readonly lost: number
  readonly isGoing: boolean
}

/** Changes nothing. */
export async function planErasure(session: Session, graphId: GraphId, what: Erasure): Promise<ErasurePlan> {
  if ('everything' in what) return planEverything(session, graphId)
  const seqs = await goingFrom(session, graphId, what)
  const going = await session.rows<Going>(GOING, [graphId, seqs])
  const ids = new Set(going.map(({ memory_id }) => memory_id))
  const own = going.flatMap(({ links }) => linksOf(links))
  const rows = await session.rows<{ memory_id: MemoryId; links: string | null }>(NAMING, [graphId, seqs])
  const naming = rows.filter(({ memory_id }) => !ids.has(memory_id))
  const others = naming.flatMap(({ links }) => linksOf(links)).filter(({ target }) => ids.has(target))
  const contexts =
    going.length === 0
      ? []
      : await losing(
          session,
          graphId,
          going,
          own.map(({ target }) => target),
        )
  return {
    ids,
    going,
    naming: naming.map(({ memory_id }) => memory_id),
    contexts,
    erased: {
      memories: going.length,
      memoryIds: going.slice(0, MOST_ERASED_IDS).map(({ memory_id }) => memory_id),
      relationships: own.length + others.length,
      contexts: contexts.filter(({ isGoing }) => isGoing).length,
    },
  }
}

/** A context that keeps no memory goes, unless it is linked to: links to memories that go, go as well. */
async function losing(
  session: Session,
  graphId: GraphId,
  going: readonly Going[],
  linkedTo: readonly string[],
): Promise<LosingContext[]> {
  const lost = new Map<number, number>()
  for (const { context_no } of going) lost.set(context_no, (lost.get(context_no) ?? 0) + 1)
  const rows = await session.rows<Pick<LosingContext, 'context_no' | 'context_id' | 'memories'>>(LOSING, [
    graphId,
    [...lost.keys()],
    [...new Set(linkedTo)],
  ])
  const contexts = rows.map((row) => ({ ...row, lost: lost.get(row.context_no) ?? 0 }))
  const empty = contexts.filter(({ memories, lost }) => memories === lost)
  const linked = await session.rows<{ context_no: number }>(LINKED, [
    graphId,
    empty.map(({ context_no }) => context_no),
    empty.map(({ context_id }) => context_id),
    going.map(({ seq }) => seq),
  ])
  const staying = new Set(linked.map(({ context_no }) => context_no))
  return contexts.map((one) => ({
    ...one,
    isGoing: one.memories === one.lost && !staying.has(one.context_no),
  }))
}

async function goingFrom(
  session: Session,
  graphId: GraphId,
  what: Exclude<Erasure, { readonly everything: true }>,
): Promise<number[]> {
  if ('memoryId' in what) {
    const row = await session.row<{ seq: number }>(BY_ID, [graphId, what.memoryId])
    if (row === undefined) throw memoryNotFound(what.memoryId)
    return [row.seq]
  }
  const { context_no } = await contextRow(session, graphId, what.contextId)
  const rows = await session.rows<{ seq: number }>(OF_CONTEXT, [graphId, context_no])
  return rows.map(({ seq }) => seq)
}

async function planEverything(session: Session, graphId: GraphId): Promise<ErasurePlan> {
  const counts = await session.row<{ memories: number; contexts: number; relationships: number }>(
    EVERYTHING,
    [graphId],
  )
  const rows = await session.rows<{ memory_id: string }>(FIRST_IDS, [graphId, MOST_ERASED_IDS])
  const memoryIds = rows.map(({ memory_id }) => memory_id)
  return {
    ids: new Set(),
    going: [],
    naming: [],
    contexts: [],
    erased: { ...(counts ?? { memories: 0, contexts: 0, relationships: 0 }), memoryIds },
  }
}
