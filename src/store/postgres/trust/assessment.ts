import type { Source } from '../../../domain/model.js'
import { type Assessment, assess, MOST_AGREEMENTS, type Statement } from '../../../domain/trust/trust.js'
import type { Session } from '../connection/session.js'

/**
 * The statements about each memory `m` of context `c`, up to the place `as_of`. Only the first few agreements move a
 * confidence, so that the rest are counted and not looked at; where a counter of the row says that there is nothing to
 * find, nothing is looked for.
 */
export const STATED = `
  LEFT JOIN LATERAL (
    SELECT count(*) AS count, (array_agg(a.seq ORDER BY a.seq))[1:${MOST_AGREEMENTS}] AS first
    FROM memory_agreements a
    WHERE m.agreements > 0 AND a.graph_id = $1 AND a.memory_seq = m.seq AND a.by_seq <> m.seq AND a.seq <= as_of
  ) direct ON true
  LEFT JOIN LATERAL (
    SELECT
      coalesce((SELECT a.place FROM context_agreements a WHERE a.graph_id = $1 AND a.context_no = m.context_no
        AND a.seq <= as_of ORDER BY a.seq DESC LIMIT 1), 0)
      - coalesce((SELECT a.place FROM context_agreements a WHERE a.graph_id = $1 AND a.context_no = m.context_no
        AND a.seq <= m.seq ORDER BY a.seq DESC LIMIT 1), 0)
      - (SELECT count(*) FROM (
          SELECT m.seq AS by_seq
          UNION SELECT d.by_seq FROM memory_agreements d
          WHERE m.agreements > 0 AND d.graph_id = $1 AND d.memory_seq = m.seq AND d.seq <= as_of
        ) counted
        JOIN context_agreements a ON a.graph_id = $1 AND a.context_no = m.context_no AND a.by_seq = counted.by_seq
          AND a.seq > m.seq AND a.seq <= as_of) AS count,
      ARRAY(SELECT a.seq FROM context_agreements a
        WHERE a.graph_id = $1 AND a.context_no = m.context_no AND a.seq > m.seq AND a.seq <= as_of
          AND a.by_seq <> m.seq AND NOT EXISTS (SELECT FROM memory_agreements d WHERE d.graph_id = $1
            AND d.memory_seq = m.seq AND d.by_seq = a.by_seq AND d.seq <= as_of)
        ORDER BY a.seq LIMIT ${MOST_AGREEMENTS}) AS first
    WHERE c.agreements > 0
  ) whole ON true
  LEFT JOIN LATERAL (
    SELECT json_agg(json_build_array(x.seq, b.memory_id, b.source, coalesce((SELECT max(y.seq) FROM contradictions y
      WHERE y.graph_id = $1 AND y.memory_seq = x.by_seq), 0)) ORDER BY x.seq) AS statements
    FROM contradictions x CROSS JOIN LATERAL (
      SELECT memory_id, source FROM memories WHERE graph_id = $1 AND seq = x.by_seq OFFSET 0) b
    WHERE m.contradictions > 0 AND x.graph_id = $1 AND x.memory_seq = m.seq AND x.seq <= as_of
  ) against ON true`

export const STATED_COLUMNS = `m.source, m.times_seen, m.sighted, as_of, direct.count AS direct_count,
  direct.first AS direct_first, whole.count AS whole_count, whole.first AS whole_first, against.statements`

export interface StatedColumns {
  readonly source: Source
  readonly times_seen: number
  readonly sighted: readonly number[]
  readonly as_of: number
  readonly direct_count: number
  readonly direct_first: readonly number[] | null
  readonly whole_count: number | null
  readonly whole_first: readonly number[] | null
  readonly statements: readonly [seq: number, by: string, source: Source, contestedAt: number][] | null
}

/** What later memories make of one. */
export function assessmentOf(row: StatedColumns): Assessment {
  const sighted = row.sighted.filter((seq) => seq <= row.as_of)
  const agreed = [...sighted, ...(row.direct_first ?? []), ...(row.whole_first ?? [])]
  const statements: Statement[] = agreed.map((seq) => ({ kind: 'agrees', seq }))
  for (const [seq, by, source, contestedAt] of row.statements ?? [])
    statements.push({ kind: 'contradicts', seq, by, source, contested: contestedAt > seq })
  const assessment = assess(
    row.source,
    statements.sort((a, b) => a.seq - b.seq),
  )
  return { ...assessment, agreement: row.times_seen - 1 + row.direct_count + (row.whole_count ?? 0) }
}

/** Later than everything. */
export const NOW = Number.MAX_SAFE_INTEGER

const ASSESSMENTS = {
  name: 'assessments',
  text: `SELECT m.seq, ${STATED_COLUMNS}
    FROM unnest($2::bigint[], $3::bigint[]) WITH ORDINALITY AS wanted(seq, as_of, place)
    CROSS JOIN LATERAL (SELECT * FROM memories WHERE graph_id = $1 AND seq = wanted.seq OFFSET 0) m
    CROSS JOIN LATERAL (SELECT context_id, agreements FROM contexts
      WHERE graph_id = $1 AND context_no = m.context_no OFFSET 0) c ${STATED}
    ORDER BY place`,
}

/** The assessment of each memory, by what was stated up to a place in the order of recording. */
export async function assessments(
  session: Session,
  graphId: string,
  wanted: readonly { readonly seq: number; readonly asOf: number }[],
): Promise<{ seq: number; assessment: Assessment }[]> {
  if (wanted.length === 0) return []
  const rows = await session.rows<StatedColumns & { seq: number }>(ASSESSMENTS, [
    graphId,
    wanted.map(({ seq }) => seq),
    wanted.map(({ asOf }) => asOf),
  ])
  return rows.map((row) => ({ seq: row.seq, assessment: assessmentOf(row) }))
}
