import type { PastEvent } from '../../../domain/events/recording.js'
import type { EventKind, RecorderId, Source } from '../../../domain/model.js'
import { NOTHING_DECIDED } from '../../../domain/trust/claims/types.js'
import { decisionsFrom } from '../schema/claims.js'
import { linksOf, payloadOf } from '../schema/rows.js'

/** About so many letters come at once, however long the events are: a large export must not take much memory. */
export const LETTERS = 500_000

/** Of a statement, be it the first of its memory or not. */
const STATED =
  'seq, place, source, occurred_at, recorded_at, valid_until, recorded_by, stated, decisions, times_seen'
const FIRST_STATED = STATED.replace('times_seen', '1 AS times_seen')

/** Each is found by the index of its own table, and so is what it says; `octet_length` tells how long a text is unread. */
function statements(order: 'seq' | 'place', range: string, most: string): string {
  return `SELECT e.*, m.memory_id, c.context_id, m.kind, m.payload,
      octet_length(m.payload) + coalesce(octet_length(e.stated), 0) + coalesce(octet_length(e.decisions), 0) AS letters
    FROM (
      (SELECT ${FIRST_STATED}, seq AS memory_seq FROM memories
        WHERE graph_id = $1 AND ${range} ORDER BY ${order} LIMIT ${most})
      UNION ALL
      (SELECT ${STATED}, memory_seq FROM sightings
        WHERE graph_id = $1 AND ${range} ORDER BY ${order} LIMIT ${most})
      ORDER BY ${order} LIMIT ${most}) e
    CROSS JOIN LATERAL (SELECT memory_id, context_no, kind, payload FROM memories
      WHERE graph_id = $1 AND seq = e.memory_seq OFFSET 0) m
    CROSS JOIN LATERAL (SELECT context_id FROM contexts
      WHERE graph_id = $1 AND context_no = m.context_no OFFSET 0) c
    ORDER BY e.${order}`
}

/** As many of some statements as have about `LETTERS`, and always the first. */
function upToLetters(order: 'seq' | 'place', query: string): string {
  return `SELECT * FROM (SELECT r.*, sum(r.letters) OVER (
        ORDER BY r.${order} ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before FROM (${query}) r) p
    WHERE coalesce(p.before, 0) < ${LETTERS} ORDER BY p.${order}`
}

/** The events after one and up to another, so many of them at most, or all. */
export const ALL_EVENTS = { name: 'all-events', text: statements('seq', 'seq > $2 AND seq <= $3', '$4') }
export const EVENTS = { name: 'export-events', text: upToLetters('seq', ALL_EVENTS.text) }
/** The next statements after a place. */
export const NEXT = {
  name: 'next-statements',
  text: upToLetters('place', statements('place', 'place > $2', '$3')),
}

export interface EventColumns {
  readonly seq: number
  readonly place: number
  readonly decisions: string | null
  readonly valid_until: string | null
  readonly recorded_by: RecorderId | null
  readonly recorded_at: string
  readonly times_seen: number
  readonly stated: string | null
  readonly memory_id: string
  readonly context_id: string
  readonly kind: EventKind
  readonly source: Source
  readonly payload: string
  readonly occurred_at: string
  readonly letters: number
}

export function toPastEvent(row: EventColumns): PastEvent {
  return {
    memoryId: row.memory_id,
    contextId: row.context_id,
    eventKind: row.kind,
    source: row.source,
    payload: payloadOf(row.payload),
    links: linksOf(row.stated),
    occurredAt: row.occurred_at,
    recordedAt: row.recorded_at,
    timesSeen: row.times_seen,
    ...(row.valid_until !== null && { validUntil: row.valid_until }),
    ...(row.recorded_by !== null && { recordedBy: row.recorded_by }),
    place: row.place,
    decisions: decisionsFrom(row.decisions) ?? NOTHING_DECIDED,
  }
}

export function lettersIn(rows: readonly EventColumns[]): number {
  return rows.reduce((sum, { letters }) => sum + letters, 0)
}
