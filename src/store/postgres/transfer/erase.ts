import type { PastEvent } from '../../../domain/events/recording.js'
import { graphNotFound } from '../../../domain/failure.js'
import type { Erased, Erasure, GraphId, MemoryId, Receipt } from '../../../domain/model.js'
import type { TextCache } from '../../../domain/text-cache.js'
import type { Recorded } from '../../../domain/trust/claims/types.js'
import type { Plan } from '../../records.js'
import { BulkWrite } from '../connection/bulk-write.js'
import type { Database } from '../connection/database.js'
import type { Session } from '../connection/session.js'
import { moveVectors } from '../meanings/after-erasure.js'
import { graphRow, lockIfThere } from '../schema/graph-row.js'
import type { GraphRow } from '../schema/rows.js'
import { decidedWithout } from './decided-without.js'
import { planErasure } from './erasure-plan.js'
import { pagesAsOfNow } from './export.js'
import { fill } from './import.js'
import { noteErasure } from './watch.js'

/** Every table that holds something of a graph but what is kept of it as a whole, and what its memories mean. */
const CONTENTS = [
  'postings',
  'terms',
  'name_grams',
  'joined',
  'records_against',
  'disputes',
  'supersessions',
  'memory_links',
  'speakers',
  'relations',
  'sightings',
  'memories',
  'context_types',
  'contexts',
]

const UNHURRIED = { verb: 'erased', unhurried: true } as const
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
    else if (plan.ids.size > 0) await recordAgain(session, graphId, graph, plan, texts)
    if (plan.erased.memories > 0 || 'everything' in what) await session.rows(COUNT)
    return plan.erased
  }, UNHURRIED)
}

async function removeAll(session: Session, graphId: GraphId): Promise<void> {
  // Without the row of `readings`, which goes first, no vectors of a batch under way are kept.
  for (const table of ['readings', 'vectors', ...CONTENTS, 'done_once', 'erasures', 'graphs'])
    await empty(session, graphId, table)
}

async function empty(session: Session, graphId: GraphId, table: string): Promise<void> {
  await session.rows({ name: `empty-${table}`, text: `DELETE FROM ${table} WHERE graph_id = $1` }, [graphId])
}

/**
 * The events that are left are recorded again in order, at the places that they had and with what was decided of them;
 * those of claims that are connected with what goes are decided again. The events are read as they were before the tables
 * were emptied, on the same connection: with a second one, as many erasures at once as the pool has connections would wait
 * for each other.
 */
async function recordAgain(
  session: Session,
  graphId: GraphId,
  graph: GraphRow,
  { ids }: Plan,
  texts: TextCache,
): Promise<void> {
  const decided = await decidedWithout(session, graphId, ids)
  const gone = await session.rows<{ place: number; memory_id: MemoryId }>(GONE, [graphId, [...ids]])
  const before = await pagesAsOfNow(session, graphId, graph.last_seq)
  for (const table of CONTENTS) await empty(session, graphId, table)
  await session.rows(START_AGAIN, [graphId])
  await fill(session, graphId, without(before, ids, decided), String, texts, true)
  await session.rows(GO_ON, [graphId, graph.last_id, graph.last_recorded_at, graph.last_place])
  await noteErasure(
    session,
    graphId,
    graph.edition,
    gone.map(({ place, memory_id }) => ({ place, memoryId: memory_id })),
  )
  await moveVectors(session, graphId, ids)
  await forgetReceipts(session, graphId, ids)
}

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
const START_AGAIN = {
  name: 'start-again',
  text: `UPDATE graphs SET last_seq = 0, last_place = 0, last_id = '', last_recorded_at = '', stated_at = '', newest_at = '',
    memories = 0, total_length = 0, last_context_no = 0 WHERE graph_id = $1`,
}
/** No id, no place and no time of recording is given twice, though the memory that had it is gone. */
const GO_ON = {
  name: 'go-on',
  text: `UPDATE graphs SET last_id = $2, last_recorded_at = $3, last_place = $4,
    edition = nextval('graph_editions') WHERE graph_id = $1`,
}
const ANSWERS = { name: 'kept-answers', text: 'SELECT key, receipts FROM done_once WHERE graph_id = $1' }
const FORGET = { name: 'forget-answers', text: 'DELETE FROM done_once WHERE graph_id = $1 AND key = ANY($2)' }

/** Kept receipts go with a memory that they are for; what others did to an erased memory is no longer told. */
async function forgetReceipts(session: Session, graphId: GraphId, ids: ReadonlySet<MemoryId>): Promise<void> {
  const kept = (await session.rows<{ key: string; receipts: string }>(ANSWERS, [graphId])).map((row) => ({
    key: row.key,
    // The store wrote this text itself.
    receipts: JSON.parse(row.receipts) as Receipt[],
  }))
  const going = kept.filter(({ receipts }) => receipts.some(({ memoryId }) => ids.has(memoryId)))
  if (going.length > 0) await session.rows(FORGET, [graphId, going.map(({ key }) => key)])
  const tables = new BulkWrite(session, graphId)
  const isGone = ({ memoryId }: Receipt['bearsOn'][number]) => ids.has(memoryId)
  const changed = kept.filter(
    (one) => !going.includes(one) && one.receipts.some(({ bearsOn }) => bearsOn.some(isGone)),
  )
  const cut = (receipt: Receipt): Receipt => ({
    ...receipt,
    bearsOn: receipt.bearsOn.filter((one) => !isGone(one)),
  })
  tables.update('cut-answers', 'done_once', [
    ['key', 'text', changed.map(({ key }) => key)],
    ['receipts', 'text', changed.map(({ receipts }) => JSON.stringify(receipts.map(cut)))],
  ])
  await tables.done()
}

/** The events but for those of some memories, and without links to those. */
async function* without(
  events: AsyncIterable<readonly PastEvent[]>,
  gone: ReadonlySet<MemoryId>,
  decided: ReadonlyMap<number, Recorded>,
): AsyncGenerator<readonly PastEvent[]> {
  for await (const some of events)
    yield some
      .filter(({ memoryId }) => !gone.has(memoryId))
      .map((event) => {
        const { links, decisions } = decided.get(event.place ?? 0) ?? withoutLinks(event, gone)
        return { ...event, links, decisions }
      })
}

/** `related_to` joins nothing, so that its event is not decided again. */
function withoutLinks(event: PastEvent, gone: ReadonlySet<MemoryId>): Pick<PastEvent, 'links' | 'decisions'> {
  const { links, decisions } = event
  const isKept = (_: unknown, i: number) => !gone.has(links[i]?.target ?? '')
  return {
    links: links.filter(isKept),
    decisions: decisions && { ...decisions, bears: decisions.bears.filter(isKept) },
  }
}
