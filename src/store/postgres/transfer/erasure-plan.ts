import { memoryNotFound } from '../../../domain/failure.js'
import { type Erasure, type GraphId, MOST_ERASED_IDS } from '../../../domain/model.js'
import type { Plan } from '../../records.js'
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
  text: `SELECT seq, memory_id, context_no, links FROM memories WHERE graph_id = $1 AND seq = ANY($2) ORDER BY seq`,
}
const NAMING = {
  name: 'erase-naming',
  text: `SELECT m.seq, m.links FROM memories m WHERE m.graph_id = $1 AND m.seq IN (
      SELECT l.by_seq FROM memory_links l WHERE l.graph_id = $1 AND l.target_seq = ANY($2)) AND m.seq <> ALL($2)`,
}
/** Contexts that lose their last memory or a link, with those of the memories left that link to them. */
const LINKED = {
  name: 'erase-linked',
  text: `SELECT c.context_no, c.context_id, c.memories, (
      SELECT json_agg(m.links) FROM relations r
      JOIN speakers s ON s.graph_id = $1 AND s.from_no = r.from_no AND s.kind = r.kind AND s.to_no = r.to_no
      JOIN memories m ON m.graph_id = $1 AND m.seq = s.by_seq
      WHERE r.graph_id = $1 AND r.to_no = c.context_no AND s.by_seq <> ALL($2)) AS links
    FROM contexts c WHERE c.graph_id = $1 AND (c.context_no = ANY($3) OR c.context_id = ANY($4))`,
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

/** Changes nothing. */
export async function planErasure(session: Session, graphId: GraphId, what: Erasure): Promise<Plan> {
  if ('everything' in what) return planEverything(session, graphId)
  const seqs = await goingFrom(session, graphId, what)
  const going = await session.rows<{ memory_id: string; context_no: number; links: string | null }>(GOING, [
    graphId,
    seqs,
  ])
  const ids = new Set(going.map(({ memory_id }) => memory_id))
  const own = going.flatMap(({ links }) => linksOf(links))
  const naming = await session.rows<{ links: string | null }>(NAMING, [graphId, seqs])
  const others = naming.flatMap(({ links }) => linksOf(links)).filter(({ target }) => ids.has(target))
  const lost = new Map<number, number>()
  for (const { context_no } of going) lost.set(context_no, (lost.get(context_no) ?? 0) + 1)
  const contexts = await session.rows<{
    context_no: number
    context_id: string
    memories: number
    links: readonly (string | null)[] | null
  }>(LINKED, [graphId, seqs, [...lost.keys()], own.map(({ target }) => target)])
  const gone = contexts.filter(
    ({ context_no, context_id, memories, links }) =>
      memories === (lost.get(context_no) ?? 0) &&
      !(links ?? []).some((text) => linksOf(text).some(({ target }) => target === context_id)),
  )
  return {
    ids,
    erased: {
      memories: going.length,
      memoryIds: going.slice(0, MOST_ERASED_IDS).map(({ memory_id }) => memory_id),
      relationships: own.length + others.length,
      // The context that was asked for by name may only be linked to, by none of the memories left.
      contexts: going.length === 0 ? 0 : gone.length,
    },
  }
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

async function planEverything(session: Session, graphId: GraphId): Promise<Plan> {
  const counts = await session.row<{ memories: number; contexts: number; relationships: number }>(
    EVERYTHING,
    [graphId],
  )
  const rows = await session.rows<{ memory_id: string }>(FIRST_IDS, [graphId, MOST_ERASED_IDS])
  const memoryIds = rows.map(({ memory_id }) => memory_id)
  return {
    ids: new Set(),
    erased: { ...(counts ?? { memories: 0, contexts: 0, relationships: 0 }), memoryIds },
  }
}
