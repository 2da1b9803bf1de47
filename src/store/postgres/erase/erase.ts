import { graphNotFound } from '../../../domain/failure.js'
import type { Erased, Erasure, GraphId, MemoryId } from '../../../domain/model.js'
import type { TextCache } from '../../../domain/text-cache.js'
import type { Database } from '../connection/database.js'
import type { Session } from '../connection/session.js'
import { graphRow, lockIfThere } from '../schema/graph-row.js'
import type { GraphRow } from '../schema/rows.js'
import { noteErasure } from '../transfer/watch.js'
import { type ErasurePlan, planErasure } from './plan.js'
import { forgetReceipts } from './receipts.js'
import { CONTENTS, empty, recordAgain } from './record-again.js'
import { takeOut } from './take-out.js'

const UNHURRIED = { verb: 'erased', unhurried: true } as const
/** Of a graph that loses more, the rest is recorded again: taking a memory out costs about twice as much as recording one. */
const MOST_TAKEN_OUT = 1 / 3
/** Every statement of these memories, at its place. */
const GONE = {
  name: 'erased-statements',
  text: `WITH going AS MATERIALIZED (SELECT m.seq, m.place, m.memory_id FROM unnest($2::text[]) AS wanted(id)
      CROSS JOIN LATERAL (SELECT seq, place, memory_id FROM memories
        WHERE graph_id = $1 AND memory_id = wanted.id OFFSET 0) m)
    SELECT place, memory_id FROM going
    UNION ALL
    SELECT s.place, g.memory_id FROM going g CROSS JOIN LATERAL (
      SELECT place FROM sightings WHERE graph_id = $1 AND memory_seq = g.seq OFFSET 0) s
    ORDER BY place`,
}
/** The last statement of a transaction: its row is waited for by all other erasures. */
const COUNT = {
  name: 'count-erasure',
  text: `INSERT INTO settings (name, value) VALUES ('erasures', '1')
    ON CONFLICT (name) DO UPDATE SET value = (settings.value::bigint + 1)::text`,
}

/** Erases in one transaction; with `dryRun`, only says what would go. */
export async function erase(
  database: Database,
  graphId: GraphId,
  what: Erasure,
  { dryRun }: { readonly dryRun: boolean },
  texts: TextCache,
): Promise<Erased> {
  if (dryRun)
    return database.read(async (session) => {
      await graphRow(session, graphId)
      return (await planErasure(session, graphId, what)).erased
    })
  return database.write(async (session) => {
    const graph = await lockIfThere(session, graphId)
    if (graph === undefined) throw graphNotFound(graphId)
    const plan = await planErasure(session, graphId, what)
    if ('everything' in what) await removeAll(session, graphId)
    else if (plan.ids.size > 0) await eraseSome(session, graphId, graph, plan, texts)
    if (plan.erased.memories > 0 || 'everything' in what) await session.rows(COUNT)
    return plan.erased
  }, UNHURRIED)
}

async function removeAll(session: Session, graphId: GraphId): Promise<void> {
  // Without the row of `readings`, which goes first, no vectors of a batch under way are kept.
  for (const table of ['readings', 'vectors', ...CONTENTS, 'done_once', 'erasures', 'graphs'])
    await empty(session, graphId, table)
}

async function eraseSome(
  session: Session,
  graphId: GraphId,
  graph: GraphRow,
  plan: ErasurePlan,
  texts: TextCache,
): Promise<void> {
  const gone = await session.rows<{ place: number; memory_id: MemoryId }>(GONE, [graphId, [...plan.ids]])
  const isMost = plan.ids.size > MOST_TAKEN_OUT * graph.memories
  if (isMost || !(await takeOut(session, graphId, plan, texts)))
    await recordAgain(session, graphId, graph, plan.ids, texts)
  await noteErasure(
    session,
    graphId,
    graph.edition,
    gone.map(({ place, memory_id }) => ({ place, memoryId: memory_id })),
  )
  await forgetReceipts(session, graphId, plan.ids)
}
