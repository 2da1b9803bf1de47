import { type Past, type PastMemory, refuseUnlessNext } from '../../../domain/events/import-order.js'
import type { PastEvent } from '../../../domain/events/recording.js'
import { decidedAs, recordOf } from '../../../domain/events/recording.js'
import type { Content } from '../../../domain/events/same-event.js'
import { Failure, graphExists } from '../../../domain/failure.js'
import { isMemoryId } from '../../../domain/ids.js'
import type { GraphId, MemoryId } from '../../../domain/model.js'
import type { TextCache } from '../../../domain/text-cache.js'
import type { Recorded } from '../../../domain/trust/claims/types.js'
import type { EventRecord } from '../../../graph/records.js'
import { createYielding } from '../../../loop/yielding.js'
import type { EventPath } from '../../store.js'
import type { Session } from '../connection/session.js'
import type { SharedLookup } from '../connection/shared-lookup.js'
import { type HashedContent, hashedContentOf, keyOf } from '../schema/document.js'
import { lockIfThere, makeGraph } from '../schema/graph-row.js'
import { type GraphRow, toIndexedAll } from '../schema/rows.js'
import { ClaimsSoFar } from '../trust/claims-so-far.js'
import { Change } from '../write/change.js'
import { flush } from '../write/flush.js'
import { load } from '../write/load.js'
import type { Alone, Staging } from './staging.js'
import { keepStatistics } from './statistics.js'

const KNOWN = {
  name: 'import-known',
  text: `SELECT m.* FROM unnest($2::text[]) AS wanted(id) CROSS JOIN LATERAL (
      SELECT memory_id, times_seen, content FROM memories
      WHERE graph_id = $1 AND memory_id = wanted.id OFFSET 0) m
    UNION ALL
    SELECT m.* FROM unnest($3::bytea[]) AS wanted(content) CROSS JOIN LATERAL (
      SELECT memory_id, times_seen, content FROM memories
      WHERE graph_id = $1 AND content = wanted.content OFFSET 0) m`,
}
/** So many events are recorded at once, or as many as have about so many letters. */
const AT_ONCE = 1000
const LETTERS = 2_000_000

interface PastDraft {
  readonly event: PastEvent
  readonly content: HashedContent
}

interface Counts {
  readonly events: number
  readonly memories: number
}

interface ImportPorts {
  readonly there: SharedLookup<GraphId>
  readonly staging: Staging
  readonly alone: Alone
  readonly texts: TextCache
}

/** Makes a graph of the events of an export in one transaction, once all of them have come. */
export async function importGraph(
  { there, staging, alone, texts }: ImportPorts,
  graphId: GraphId,
  events: AsyncIterable<readonly PastEvent[]>,
  at: EventPath,
): Promise<Counts> {
  // Nobody should have to send all events to learn that the name is taken.
  if ((await there.find(graphId)) !== undefined) throw graphExists(graphId)
  return staging.receive(events, alone, async (session, received) => {
    if (!(await makeGraph(session, graphId))) throw graphExists(graphId)
    return fill(session, graphId, received, at, texts)
  })
}

/**
 * Records the events in a graph that this transaction has made or emptied. What was decided of an event is kept, if the
 * rules allow it, unless `areChecked` says that it is ours; an event of which nothing is known is decided now.
 */
export async function fill(
  session: Session,
  graphId: GraphId,
  events: AsyncIterable<readonly PastEvent[]>,
  at: EventPath,
  texts: TextCache,
  areChecked = false,
): Promise<Counts> {
  let graph = await lockIfThere(session, graphId)
  let count = 0
  for await (const drafts of inLots(events)) {
    if (graph === undefined) throw new Error('The graph was made before it is filled.')
    const past = await LoadedPast.load(session, graphId, graph, drafts)
    const accepted = drafts.map((draft, i) => {
      refuseUnlessNext(draft.event, draft.content, past, at(count + i))
      return { record: past.add(draft), content: draft.content }
    })
    const records = await toIndexedAll(accepted, texts)
    const [state, claims] = await Promise.all([
      load(session, graphId, graph, records),
      ClaimsSoFar.load(session, graphId, graph.last_seq, records),
    ])
    const change = new Change(state)
    const recorded: Recorded[] = []
    for (const [i, record] of records.entries()) {
      const isDecided = drafts[i]?.event.decisions !== undefined
      if (isDecided && !areChecked) refuseUndecidable(await claims.check(record), at(count + i))
      const statement = await (isDecided ? claims.replay(record) : claims.record(record))
      recorded.push(statement)
      change.apply(decidedAs(record, statement.decisions))
    }
    await flush(session, graphId, change, claims, recorded)
    graph = change.graph
    if (count < AT_ONCE && count + drafts.length >= AT_ONCE) await keepStatistics(session)
    count += drafts.length
  }
  return { events: count, memories: graph?.memories ?? 0 }
}

function refuseUndecidable(message: string | undefined, path: string): void {
  if (message === undefined) return
  throw new Failure('invalid_import', `The events are not those of a graph: at ${path}, ${message}`, {
    errors: [{ path, message }],
  })
}

/** What the events so far say about what may come next. */
class LoadedPast implements Past {
  readonly #byId = new Map<MemoryId, PastMemory>()
  readonly #byKey = new Map<string, MemoryId>()
  #lastSeq: number
  lastPlace: number
  lastId: MemoryId | undefined
  lastRecordedAt: string

  private constructor(graph: GraphRow) {
    this.#lastSeq = graph.last_seq
    this.lastPlace = graph.last_place
    this.lastId = graph.last_id || undefined
    this.lastRecordedAt = graph.last_recorded_at
  }

  static async load(
    session: Session,
    graphId: GraphId,
    graph: GraphRow,
    drafts: readonly PastDraft[],
  ): Promise<LoadedPast> {
    const past = new LoadedPast(graph)
    if (graph.memories === 0) return past
    const ids = drafts.flatMap(({ event }) => [event.memoryId, ...event.links.map(({ target }) => target)])
    const hashes = drafts.map(({ content }) => content.hash)
    const rows = await session.rows<{
      memory_id: string
      times_seen: number
      content: Buffer
    }>(KNOWN, [graphId, ids.filter(isMemoryId), hashes])
    for (const { memory_id, times_seen: timesSeen, content } of rows)
      past.#note(memory_id, { timesSeen, key: keyOf(content) })
    return past
  }

  find(memoryId: MemoryId): PastMemory | undefined {
    return this.#byId.get(memoryId)
  }

  sameEvent({ key }: Content): MemoryId | undefined {
    return this.#byKey.get(key)
  }

  add({ event, content }: PastDraft): EventRecord {
    const { memoryId, timesSeen, recordedAt, decisions } = event
    this.lastRecordedAt = recordedAt
    this.lastPlace = event.place ?? this.lastPlace + 1
    if (timesSeen === 1) this.lastId = memoryId
    this.#note(memoryId, { timesSeen, key: content.key })
    const record = recordOf(event, ++this.#lastSeq, this.lastPlace)
    return decisions === undefined ? record : decidedAs(record, decisions)
  }

  #note(memoryId: MemoryId, memory: PastMemory): void {
    this.#byId.set(memoryId, memory)
    this.#byKey.set(memory.key, memoryId)
  }
}

/** As many events at a time as one batch takes, however they come. */
async function* inLots(events: AsyncIterable<readonly PastEvent[]>): AsyncGenerator<readonly PastDraft[]> {
  const yielding = createYielding()
  let lot: PastDraft[] = []
  let letters = 0
  for await (const some of events)
    for (const event of some) {
      const content = hashedContentOf(event)
      lot.push({ event, content })
      letters += content.text.length
      await yielding()
      if (lot.length < AT_ONCE && letters < LETTERS) continue
      yield lot
      lot = []
      letters = 0
    }
  if (lot.length > 0) yield lot
}
