import type { Session } from '../connection/session.js'

/**
 * What the contexts of some memories build on, directly or through others, each step with the last time that the context it leads to
 * lost a memory. Nothing is looked for in a graph that has lost none. `OFFSET 0` keeps the planner from joining in another
 * order than this one, which is right whatever it knows of the tables.
 */
const BUILT_ON = {
  name: 'built-on',
  text: `WITH RECURSIVE built(from_no, to_no) AS (
      SELECT m.context_no, r.to_no FROM unnest($2::bigint[]) AS wanted(seq)
      CROSS JOIN LATERAL (SELECT context_no FROM memories WHERE graph_id = $1 AND seq = wanted.seq OFFSET 0) m
      CROSS JOIN LATERAL (SELECT to_no FROM relations WHERE graph_id = $1 AND from_no = m.context_no
        AND kind = 'extension' OFFSET 0) r
      WHERE EXISTS (SELECT FROM memories WHERE graph_id = $1 AND superseded_at IS NOT NULL)
      UNION
      SELECT b.to_no, r.to_no FROM built b
      CROSS JOIN LATERAL (SELECT to_no FROM relations WHERE graph_id = $1 AND from_no = b.to_no
        AND kind = 'extension' OFFSET 0) r
    )
    SELECT b.from_no, b.to_no, (SELECT max(m.superseded_at) FROM memories m WHERE m.graph_id = $1
      AND m.context_no = b.to_no AND m.superseded_at IS NOT NULL) AS lost_at
    FROM built b`,
}

interface Step {
  readonly from_no: number
  readonly to_no: number
  readonly lost_at: number | null
}

/** For each context of these memories that builds on something replaced: when that last happened. */
export async function replacedAt(
  session: Session,
  graphId: string,
  seqs: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const steps = await session.rows<Step>(BUILT_ON, [graphId, seqs])
  const extenders = new Map<number, number[]>()
  const losses = new Map<number, number>()
  for (const { from_no, to_no, lost_at } of steps) {
    const known = extenders.get(to_no)
    if (known === undefined) extenders.set(to_no, [from_no])
    else known.push(from_no)
    if (lost_at !== null) losses.set(to_no, lost_at)
  }
  return spread(losses, (context) => extenders.get(context) ?? [])
}

/** The latest loss comes first, so that the first thing to reach a context is what counts for it. */
function spread(
  losses: ReadonlyMap<number, number>,
  extendersOf: (context: number) => readonly number[],
): Map<number, number> {
  const replaced = new Map<number, number>()
  const passed = new Set<number>()
  for (const [context, at] of [...losses].sort(([, a], [, b]) => b - a)) {
    const queue = [context]
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      if (passed.has(next)) continue
      passed.add(next)
      for (const extender of extendersOf(next)) {
        if (!replaced.has(extender)) replaced.set(extender, at)
        queue.push(extender)
      }
    }
  }
  return replaced
}
