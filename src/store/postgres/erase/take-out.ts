import { isNothing } from '../../../domain/events/recording.js'
import type { GraphId, MemoryId } from '../../../domain/model.js'
import type { TextCache } from '../../../domain/text-cache.js'
import { BulkWrite } from '../connection/bulk-write.js'
import type { Session } from '../connection/session.js'
import { removeVectors } from '../meanings/after-erasure.js'
import { decisionsText } from '../schema/claims.js'
import { linksOf, linksText } from '../schema/rows.js'
import { reckonClaims } from './claims.js'
import { reckonContexts } from './contexts.js'
import { retell } from './history.js'
import {
  eventsOf,
  type KeptEvent,
  type KeptMemory,
  keptMemories,
  type Said,
  toRecorded,
  withoutLinks,
} from './kept-memories.js'
import { type Naming, takeOutLinks } from './links.js'
import type { ErasurePlan } from './plan.js'
import { reckon } from './reckon.js'
import { reckonTotals } from './totals.js'
import { takeOutNames, takeOutWords } from './words.js'

const SIGHTINGS = {
  name: 'erase-sightings',
  text: `DELETE FROM sightings s USING unnest($2::bigint[]) AS gone(seq)
    WHERE s.graph_id = $1 AND s.memory_seq = gone.seq RETURNING s.seq`,
}
const MEMORIES = {
  name: 'erase-memories',
  text: `DELETE FROM memories m USING unnest($2::bigint[]) AS gone(seq) WHERE m.graph_id = $1 AND m.seq = gone.seq`,
}
/** Numbers, ids, places and times of recording go on from the last that was given. */
const GRAPH = {
  name: 'erase-reckon-graph',
  text: `UPDATE graphs SET memories = memories - $2, total_length = total_length - $3,
      newest_at = coalesce(greatest(
        (SELECT least(occurred_at, recorded_at) AS at FROM memories WHERE graph_id = $1 ORDER BY at DESC LIMIT 1),
        (SELECT least(occurred_at, recorded_at) AS at FROM sightings WHERE graph_id = $1 ORDER BY at DESC LIMIT 1)), ''),
      stated_at = coalesce(greatest(
        (SELECT recorded_at FROM memories WHERE graph_id = $1 ORDER BY seq DESC LIMIT 1),
        (SELECT recorded_at FROM sightings WHERE graph_id = $1 ORDER BY seq DESC LIMIT 1)), ''),
      edition = nextval('graph_editions')
    WHERE graph_id = $1`,
}

/**
 * Takes out the rows of what goes and changes those that it has to do with, and no others: what is left keeps its
 * numbers, between which there are gaps from then on. False, with only the index changed, when the index is not as these
 * rules make it: then it has to be made anew.
 */
export async function takeOut(
  session: Session,
  graphId: GraphId,
  { ids, going, naming, contexts }: ErasurePlan,
  texts: TextCache,
): Promise<boolean> {
  if (!(await takeOutWords(session, graphId, going, texts))) return false
  if (!(await takeOutNames(session, graphId, contexts))) return false
  const reckoned = await reckon(session, graphId, ids)
  const connected = new Set(reckoned.memories.map(({ memory_id }) => memory_id))
  const others = await keptMemories(
    session,
    graphId,
    naming.filter((id) => !connected.has(id)),
  )
  const decided = new Map(reckoned.remains.events.map((event) => [event.place, event]))
  const left = [...reckoned.memories.filter(({ memory_id }) => !ids.has(memory_id)), ...others]
  const changed = left.map((memory) => withoutGone(memory, ids, decided))
  await writeEvents(session, graphId, changed)
  await reckonClaims(session, graphId, reckoned)
  await retell(session, graphId, reckoned)
  await takeOutLinks(
    session,
    graphId,
    going,
    changed.filter(({ lost }) => lost.length > 0),
  )
  const seqs = going.map(({ seq }) => seq)
  const sighted = await session.rows<{ seq: number }>(SIGHTINGS, [graphId, seqs])
  await session.rows(MEMORIES, [graphId, seqs])
  await reckonTotals(session, graphId, [...seqs, ...sighted.map(({ seq }) => seq)])
  await reckonContexts(session, graphId, contexts)
  await session.rows(GRAPH, [graphId, going.length, going.reduce((sum, { length }) => sum + length, 0)])
  await removeVectors(session, graphId, ids)
  return true
}

interface Left extends Naming {
  readonly links: string | null
  readonly events: readonly ChangedEvent[]
}

interface ChangedEvent extends Said {
  readonly seq: number
  readonly isChanged: boolean
  /** The columns that are other than before, or else undefined. */
  readonly row: { readonly stated: string | null; readonly decisions: string | null } | undefined
}

/** A memory as it is once some are gone. */
function withoutGone(
  memory: KeptMemory,
  gone: ReadonlySet<MemoryId>,
  decided: ReadonlyMap<number, Said>,
): Left {
  const links = linksOf(memory.links)
  const isGone = ({ target }: { readonly target: string }) => gone.has(target)
  return {
    seq: memory.seq,
    context_no: memory.context_no,
    links: linksText(links.filter((link) => !isGone(link))),
    lost: links.filter(isGone),
    events: eventsOf(memory).map((event) => changedEvent(event, toRecorded(memory, event), gone, decided)),
  }
}

function changedEvent(
  event: KeptEvent,
  before: Said,
  gone: ReadonlySet<MemoryId>,
  decided: ReadonlyMap<number, Said>,
): ChangedEvent {
  const { links, decisions } = decided.get(event.place) ?? withoutLinks(before, gone)
  const row = {
    stated: linksText(links),
    decisions: decisionsText(isNothing(decisions) ? undefined : decisions),
  }
  const isSame = row.stated === event.stated && row.decisions === event.decisions
  const isChanged = links.length < before.links.length
  return { seq: event.seq, links, decisions, isChanged, row: isSame ? undefined : row }
}

async function writeEvents(session: Session, graphId: GraphId, memories: readonly Left[]): Promise<void> {
  const tables = new BulkWrite(session, graphId)
  const unlinked = memories.filter(({ lost }) => lost.length > 0)
  tables.update('erase-update-links', 'memories', [
    ['seq', 'bigint', unlinked.map(({ seq }) => seq)],
    ['links', 'text', unlinked.map(({ links }) => links)],
  ])
  const write = (table: string, events: readonly ChangedEvent[]) => {
    const rows = events.flatMap(({ seq, row }) => (row === undefined ? [] : { seq, ...row }))
    tables.update(`erase-update-${table}`, table, [
      ['seq', 'bigint', rows.map(({ seq }) => seq)],
      ['stated', 'text', rows.map(({ stated }) => stated)],
      ['decisions', 'text', rows.map(({ decisions }) => decisions)],
    ])
  }
  write(
    'memories',
    memories.flatMap(({ events }) => events.slice(0, 1)),
  )
  write(
    'sightings',
    memories.flatMap(({ events }) => events.slice(1)),
  )
  await tables.done()
}
