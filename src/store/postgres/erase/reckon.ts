import { isMemoryId } from '../../../domain/ids.js'
import { judgedByText } from '../../../domain/judgement/judged-by-text.js'
import type { ContextId, GraphId, MemoryId } from '../../../domain/model.js'
import type { Claim } from '../../../domain/trust/claims/types.js'
import { type Remains, reckonWithout } from '../../../domain/trust/erase/erasure.js'
import type { Past } from '../../../domain/trust/erase/past.js'
import { inSlices } from '../../../loop/yielding.js'
import type { Session } from '../connection/session.js'
import { claimOf } from '../schema/claims.js'
import { payloadOf } from '../schema/rows.js'
import { loadBases } from '../trust/staleness.js'
import { eventsOf, type KeptMemory, keptMemories, toRecorded } from './kept-memories.js'

const CONTEXTS = {
  name: 'erase-contexts',
  text: `SELECT DISTINCT c.context_id FROM unnest($2::text[]) AS wanted(id) CROSS JOIN LATERAL (
      SELECT context_no FROM memories WHERE graph_id = $1 AND memory_id = wanted.id OFFSET 0) m
    CROSS JOIN LATERAL (SELECT context_id FROM contexts
      WHERE graph_id = $1 AND context_no = m.context_no OFFSET 0) c`,
}
/** One level: what the events of these memories join to them, and the memories whose events join these. */
const JOINED = {
  name: 'erase-joined',
  text: `SELECT j.node FROM unnest($2::text[]) AS wanted(node) CROSS JOIN LATERAL (
      SELECT memory_id AS node FROM joined WHERE graph_id = $1 AND node = wanted.node
      UNION SELECT node FROM joined WHERE graph_id = $1 AND memory_id = wanted.node) j`,
}
/** For each context and place, one memory that it held before and that stays: the first one, if any. */
const HELD = {
  name: 'erase-held',
  text: `SELECT h.memory_id FROM unnest($2::text[], $3::bigint[], $4::text[]) WITH ORDINALITY
      AS wanted(context_id, place, except_id, number)
    LEFT JOIN LATERAL (SELECT context_no FROM contexts
      WHERE graph_id = $1 AND context_id = wanted.context_id OFFSET 0) c ON true
    LEFT JOIN LATERAL (SELECT memory_id, place FROM memories WHERE graph_id = $1 AND context_no = c.context_no
      AND memory_id <> wanted.except_id AND memory_id NOT IN (SELECT unnest($5::text[]))
      ORDER BY seq LIMIT 1) h ON h.place < wanted.place
    ORDER BY wanted.number`,
}

/** Claims that are connected with erased ones: as they were, the erased among them, and what is left of them. */
export interface Reckoned {
  readonly memories: readonly KeptMemory[]
  readonly remains: Remains
}

/** Reckons with the erased and their texts still there. */
export async function reckon(
  session: Session,
  graphId: GraphId,
  erased: ReadonlySet<MemoryId>,
): Promise<Reckoned> {
  const memories = await keptMemories(session, graphId, await connectedWith(session, graphId, erased))
  const events = memories
    .flatMap((memory) => eventsOf(memory).map((event) => toRecorded(memory, event)))
    .sort((a, b) => a.place - b.place)
  const payloads = new Map(memories.map(({ memory_id, payload }) => [memory_id, payload]))
  const judgement = judgedByText((id) => {
    const text = payloads.get(id)
    return text === undefined ? undefined : payloadOf(text)
  })
  const past = await loadPast(session, graphId, memories.map(claimOf), erased)
  return { memories, remains: await inSlices(reckonWithout(erased, events, past, judgement)) }
}

/** The memories that some chain of events joins to the erased or to their contexts. */
async function connectedWith(
  session: Session,
  graphId: GraphId,
  erased: ReadonlySet<MemoryId>,
): Promise<MemoryId[]> {
  const contexts = await session.rows<{ context_id: ContextId }>(CONTEXTS, [graphId, [...erased]])
  const nodes = new Set([...erased, ...contexts.map(({ context_id }) => context_id)])
  for (let level = [...nodes]; level.length > 0; ) {
    const next = await session.rows<{ node: string }>(JOINED, [graphId, level])
    level = [...new Set(next.map(({ node }) => node))].filter((node) => !nodes.has(node))
    for (const node of level) nodes.add(node)
  }
  return [...nodes].filter((node) => isMemoryId(node))
}

/** What the claims build on is among them, since each event joins that to its claim. */
async function loadPast(
  session: Session,
  graphId: GraphId,
  claims: readonly Claim[],
  erased: ReadonlySet<MemoryId>,
): Promise<Past> {
  const wholes = claims.flatMap(({ id, wholes }) => wholes.map((whole) => ({ ...whole, id })))
  const rows =
    wholes.length === 0
      ? []
      : await session.rows<{ memory_id: MemoryId | null }>(HELD, [
          graphId,
          wholes.map(({ contextId }) => contextId),
          wholes.map(({ place }) => place),
          wholes.map(({ id }) => id),
          [...erased],
        ])
  const held = new Map<string, MemoryId>()
  for (const [i, { memory_id }] of rows.entries()) {
    const whole = wholes[i]
    if (whole !== undefined && memory_id !== null)
      held.set(`${whole.id} ${whole.place} ${whole.contextId}`, memory_id)
  }
  return {
    ...(await loadBases(session, graphId, claims)),
    held(contextId, before, except) {
      const kept = held.get(`${except} ${before} ${contextId}`)
      return kept === undefined ? [] : [kept]
    },
  }
}
