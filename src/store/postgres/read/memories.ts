import type { EventKind, Memory } from '../../../domain/model.js'
import { textOf } from '../../../domain/text.js'
import { statusOf } from '../../../domain/trust/trust.js'
import type { Session } from '../connection/session.js'
import { linksOf, payloadOf } from '../schema/rows.js'
import { assessmentOf, NOW, STATED, STATED_COLUMNS, type StatedColumns } from '../trust/assessment.js'
import { replacedAt } from '../trust/staleness.js'

const MEMORIES = {
  name: 'memories',
  text: `SELECT m.seq, m.memory_id, m.context_no, c.context_id, m.kind, m.payload, m.links, m.occurred_at,
      m.recorded_at, ${STATED_COLUMNS}
    FROM unnest($2::bigint[]) WITH ORDINALITY AS wanted(seq, place)
    CROSS JOIN LATERAL (SELECT * FROM memories WHERE graph_id = $1 AND seq = wanted.seq OFFSET 0) m
    CROSS JOIN LATERAL (SELECT context_id, agreements FROM contexts
      WHERE graph_id = $1 AND context_no = m.context_no OFFSET 0) c
    CROSS JOIN (SELECT ${NOW}::bigint AS as_of) now ${STATED}
    ORDER BY place`,
}

interface MemoryColumns extends StatedColumns {
  readonly seq: number
  readonly memory_id: string
  readonly context_no: number
  readonly context_id: string
  readonly kind: EventKind
  readonly payload: string
  readonly links: string | null
  readonly occurred_at: string
  readonly recorded_at: string
}

/** The memories at these places in the order of recording, in the order given. */
export async function memoriesAt(
  session: Session,
  graphId: string,
  seqs: readonly number[],
): Promise<Memory[]> {
  if (seqs.length === 0) return []
  const [rows, replaced] = await Promise.all([
    session.rows<MemoryColumns>(MEMORIES, [graphId, seqs]),
    replacedAt(session, graphId, seqs),
  ])
  return rows.map((row) => toMemory(row, (replaced.get(row.context_no) ?? 0) > row.seq))
}

function toMemory(row: MemoryColumns, buildsOnReplaced: boolean): Memory {
  const payload = payloadOf(row.payload)
  const assessment = assessmentOf(row)
  const { supersededAt: _, ...trust } = assessment
  return {
    memoryId: row.memory_id,
    seq: row.seq,
    contextId: row.context_id,
    eventKind: row.kind,
    source: row.source,
    payload,
    text: textOf(payload),
    links: linksOf(row.links),
    occurredAt: row.occurred_at,
    recordedAt: row.recorded_at,
    timesSeen: row.times_seen,
    trust: { ...trust, status: statusOf(assessment, buildsOnReplaced) },
  }
}
