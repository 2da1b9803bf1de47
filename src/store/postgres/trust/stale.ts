import type { ContextId, GraphId } from '../../../domain/model.js'
import {
  isCut,
  type Loss,
  MOST_BUILDERS,
  MOST_SHAKEN,
  StaleSearch,
} from '../../../domain/survey/stale-search.js'
import type { Claim } from '../../../domain/trust/claims/types.js'
import { inSlices } from '../../../loop/yielding.js'
import type { Session } from '../connection/session.js'
import { CLAIM_COLUMNS, type ClaimColumns, claimOf } from '../schema/claims.js'

const OF_MEMORY = `CROSS JOIN LATERAL (
    SELECT context_id FROM contexts WHERE graph_id = $1 AND context_no = m.context_no OFFSET 0) c`
/**
 * The memories whose events extend or reinforce one; `bases` says whether they do while they stand. One kind at a time, so
 * that even without statistics no other index than that of the key looks as good.
 */
const BUILDS_ON = (id: string) => `
      SELECT j.memory_id FROM joined j WHERE j.graph_id = $1 AND j.node = ${id} AND j.kind = 'extension'
      UNION ALL
      SELECT j.memory_id FROM joined j WHERE j.graph_id = $1 AND j.node = ${id} AND j.kind = 'reinforcement'`

const SHAKEN = {
  name: 'shaken-claims',
  text: `SELECT ${CLAIM_COLUMNS} FROM (SELECT * FROM memories s
      WHERE s.graph_id = $1 AND s.superseded_at IS NOT NULL AND EXISTS (
        SELECT FROM (${BUILDS_ON('s.memory_id')}) b CROSS JOIN LATERAL (SELECT bases FROM memories
          WHERE graph_id = $1 AND memory_id = b.memory_id OFFSET 0) m WHERE s.memory_id = ANY(m.bases))
      ORDER BY s.superseded_at DESC, s.memory_id LIMIT ${MOST_SHAKEN}) m ${OF_MEMORY}`,
}
const BUILDERS = {
  name: 'stale-builders',
  text: `SELECT ${CLAIM_COLUMNS} FROM (SELECT DISTINCT b.memory_id FROM unnest($2::text[]) AS w(id)
      CROSS JOIN LATERAL (${BUILDS_ON('w.id')}) b) built
    CROSS JOIN LATERAL (SELECT * FROM memories
      WHERE graph_id = $1 AND memory_id = built.memory_id OFFSET 0) m ${OF_MEMORY}
    WHERE m.bases IS NOT NULL ORDER BY m.memory_id DESC LIMIT ${MOST_BUILDERS}`,
}
/** Claims that stand and extend a context as a whole, of whose first two memories one is superseded. */
const WHOLES = {
  name: 'stale-wholes',
  text: `SELECT ${CLAIM_COLUMNS} FROM (SELECT DISTINCT j.memory_id FROM (
        SELECT DISTINCT context_no FROM memories WHERE graph_id = $1 AND superseded_at IS NOT NULL) s
      CROSS JOIN LATERAL (SELECT context_id FROM contexts
        WHERE graph_id = $1 AND context_no = s.context_no OFFSET 0) o
      CROSS JOIN LATERAL (SELECT memory_id FROM joined
        WHERE graph_id = $1 AND node = o.context_id AND kind = 'opposition' OFFSET 0) j
      WHERE EXISTS (SELECT FROM (SELECT superseded_at FROM memories WHERE graph_id = $1
        AND context_no = s.context_no ORDER BY seq LIMIT 2) f WHERE f.superseded_at IS NOT NULL)) built
    CROSS JOIN LATERAL (SELECT * FROM memories
      WHERE graph_id = $1 AND memory_id = built.memory_id OFFSET 0) m ${OF_MEMORY}
    WHERE m.superseded_at IS NULL ORDER BY m.memory_id DESC LIMIT ${MOST_SHAKEN}`,
}
/** As in staleness.ts, with the memory that was superseded last. */
const REPLACED = {
  name: 'stale-replaced',
  text: `SELECT w.number, ${CLAIM_COLUMNS}
    FROM unnest($2::text[], $3::bigint[], $4::text[]) WITH ORDINALITY AS w(context_id, place, except_id, number)
    CROSS JOIN LATERAL (SELECT context_no, context_id FROM contexts
      WHERE graph_id = $1 AND context_id = w.context_id OFFSET 0) c
    CROSS JOIN LATERAL (SELECT * FROM memories WHERE graph_id = $1 AND context_no = c.context_no
        AND superseded_at IS NOT NULL AND place < w.place
      ORDER BY superseded_at DESC, seq LIMIT 1) m
    WHERE NOT EXISTS (SELECT FROM (
        SELECT memory_id, place FROM memories WHERE graph_id = $1 AND context_no = c.context_no
          AND superseded_at IS NULL ORDER BY seq LIMIT 2) s
      WHERE s.memory_id <> w.except_id AND s.place < w.place)`,
}
/** The same condition as that of the index. */
const LOST = {
  name: 'stale-lost',
  text: `SELECT ${CLAIM_COLUMNS} FROM (SELECT * FROM memories WHERE graph_id = $1 AND superseded_at IS NULL
      AND claim LIKE '%"lost":[{%' ORDER BY seq DESC LIMIT ${MOST_SHAKEN}) m ${OF_MEMORY}`,
}

/** Finds the stale claims of a graph: a statement for where it begins, and one for each level of what is built on it. */
export async function findStale(session: Session, graphId: GraphId): Promise<StaleSearch> {
  const claims = async (statement: typeof SHAKEN, ...values: unknown[]) =>
    (await session.rows<ClaimColumns>(statement, [graphId, ...values])).map(claimOf)
  const [superseded, wholes, lost] = await Promise.all([claims(SHAKEN), claims(WHOLES), claims(LOST)])
  const search = new StaleSearch()
  const losses = await lossesOf(session, graphId, wholes)
  await inSlices(search.begin({ superseded, losses, lost, isCut: isCut(superseded, wholes, lost) }))
  for (let edge = search.frontier; edge.length > 0; edge = search.frontier)
    await inSlices(search.take(await claims(BUILDERS, edge)))
  return search
}

async function lossesOf(session: Session, graphId: GraphId, builders: readonly Claim[]): Promise<Loss[]> {
  const wholes = builders.flatMap((claim) => claim.wholes.map((whole) => ({ ...whole, claim })))
  if (wholes.length === 0) return []
  const rows = await session.rows<ClaimColumns & { number: number }>(REPLACED, [
    graphId,
    wholes.map(({ contextId }): ContextId => contextId),
    wholes.map(({ place }) => place),
    wholes.map(({ claim }) => claim.id),
  ])
  return rows.flatMap((row) => {
    const whole = wholes[row.number - 1]
    return whole === undefined ? [] : { claim: whole.claim, replaced: claimOf(row) }
  })
}
