import type { GraphId, Link, MemoryId, Source } from '../../../domain/model.js'
import { type Decisions, NOTHING_DECIDED, type Recorded } from '../../../domain/trust/claims/types.js'
import type { Session } from '../connection/session.js'
import { CLAIM_COLUMNS, type ClaimColumns, decisionsFrom } from '../schema/claims.js'
import { linksOf } from '../schema/rows.js'

const MEMORIES = {
  name: 'erase-memories-with-claims',
  text: `SELECT ${CLAIM_COLUMNS}, m.seq, m.context_no, m.payload, m.links, m.stated, m.decisions
    FROM unnest($2::text[]) AS wanted(id) CROSS JOIN LATERAL (
      SELECT * FROM memories WHERE graph_id = $1 AND memory_id = wanted.id OFFSET 0) m
    CROSS JOIN LATERAL (SELECT context_id FROM contexts
      WHERE graph_id = $1 AND context_no = m.context_no OFFSET 0) c
    ORDER BY m.seq`,
}
const SIGHTINGS = {
  name: 'erase-sightings-of',
  text: `SELECT s.* FROM unnest($2::bigint[]) AS wanted(seq) CROSS JOIN LATERAL (
      SELECT seq, memory_seq, place, source, stated, recorded_at, decisions FROM sightings
      WHERE graph_id = $1 AND memory_seq = wanted.seq OFFSET 0) s ORDER BY s.seq`,
}

/** An event as it is kept: the first of a memory with that, each later one by itself. */
export interface KeptEvent {
  readonly seq: number
  readonly place: number
  readonly source: Source
  readonly stated: string | null
  readonly recorded_at: string
  readonly decisions: string | null
}

export interface KeptMemory extends ClaimColumns, KeptEvent {
  readonly context_no: number
  readonly payload: string
  readonly links: string | null
  readonly sightings: readonly KeptEvent[]
}

/** These memories with all their events, in order of recording. */
export async function keptMemories(
  session: Session,
  graphId: GraphId,
  ids: readonly MemoryId[],
): Promise<KeptMemory[]> {
  if (ids.length === 0) return []
  const rows = await session.rows<Omit<KeptMemory, 'sightings'>>(MEMORIES, [graphId, ids])
  const seqs = rows.map(({ seq }) => seq)
  const again = await session.rows<KeptEvent & { memory_seq: number }>(SIGHTINGS, [graphId, seqs])
  const bySeq = new Map<number, KeptEvent[]>(seqs.map((seq) => [seq, []]))
  for (const row of again) bySeq.get(row.memory_seq)?.push(row)
  return rows.map((row) => ({ ...row, sightings: bySeq.get(row.seq) ?? [] }))
}

/** The events of a memory in order. */
export function eventsOf(memory: KeptMemory): KeptEvent[] {
  return [memory, ...memory.sightings]
}

/** An event of a memory as the rules of trust take it. */
export function toRecorded(memory: KeptMemory, event: KeptEvent): Recorded {
  return {
    place: event.place,
    claim: memory.memory_id,
    contextId: memory.context_id,
    first: event === memory,
    source: event.source,
    links: linksOf(event.stated),
    recordedAt: event.recorded_at,
    decisions: decisionsFrom(event.decisions) ?? NOTHING_DECIDED,
  }
}

/** The part of an event that an erasure may change. */
export interface Said {
  readonly links: readonly Link[]
  readonly decisions: Decisions
}

/** An event that is not decided again, without its links to what is gone: only `related_to` joins nothing. */
export function withoutLinks({ links, decisions }: Said, gone: ReadonlySet<MemoryId>): Said {
  const isKept = (_: unknown, i: number) => !gone.has(links[i]?.target ?? '')
  return {
    links: links.filter(isKept),
    decisions: { ...decisions, bears: decisions.bears.filter(isKept) },
  }
}
