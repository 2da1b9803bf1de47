import { type Past, refuseUnlessNext } from '../../../domain/events/import-order.js'
import { graphExists } from '../../../domain/failure.js'
import { isMemoryId } from '../../../domain/ids.js'
import type { GraphId, MemoryId, PastEvent } from '../../../domain/model.js'
import type { EventPath } from '../../store.js'
import type { Database } from '../connection/database.js'
import type { Session } from '../connection/session.js'
import { contentHash, documentOf } from '../schema/document.js'
import { lockIfThere, makeGraph } from '../schema/graph-row.js'
import type { EventRecord, GraphRow } from '../schema/rows.js'
import { Change } from '../write/change.js'
import { flush } from '../write/flush.js'
import { load } from '../write/load.js'

const KNOWN = {
  name: 'import-known',
  text: `SELECT m.* FROM unnest($2::text[]) AS wanted(id) CROSS JOIN LATERAL (
      SELECT memory_id, times_seen, source, occurred_at, content FROM memories
      WHERE graph_id = $1 AND memory_id = wanted.id OFFSET 0) m
    UNION ALL
    SELECT m.* FROM unnest($3::bytea[]) AS wanted(content) CROSS JOIN LATERAL (
      SELECT memory_id, times_seen, source, occurred_at, content FROM memories
      WHERE graph_id = $1 AND content = wanted.content OFFSET 0) m`,
}
const AT_ONCE = 1000

export interface Counts {
  readonly events: number
  readonly memories: number
}

/** Makes a graph of the events of an export in one transaction. */
export function importGraph(
  database: Database,
  graphId: GraphId,
  events: AsyncIterable<readonly PastEvent[]>,
  at: EventPath,
): Promise<Counts> {
  return database.write(async (session) => {
    if (!(await makeGraph(session, graphId))) throw graphExists(graphId)
    return fill(session, graphId, events, at)
  }, true)
}

/** Records the events in a graph that this transaction has made or emptied. */
export async function fill(
  session: Session,
  graphId: GraphId,
  events: AsyncIterable<readonly PastEvent[]>,
  at: EventPath,
): Promise<Counts> {
  let graph = await lockIfThere(session, graphId)
  let count = 0
  for await (const some of inLots(events)) {
    if (graph === undefined) throw new Error('The graph was made before it is filled.')
    const past = await LoadedPast.load(session, graphId, graph, some)
    const records = some.map((event, i) => {
      refuseUnlessNext(event, past, at(count + i))
      return past.add(event)
    })
    const change = new Change(await load(session, graphId, graph, records))
    for (const record of records) change.apply(record)
    await flush(session, graphId, change)
    graph = change.graph
    count += some.length
  }
  return { events: count, memories: graph?.memories ?? 0 }
}

interface Known {
  timesSeen: number
  readonly source: string
  readonly occurredAt: string
  readonly content: string
}

/** What the events so far say about what may come next. */
class LoadedPast implements Past {
  readonly #byId = new Map<MemoryId, Known>()
  readonly #byContent = new Map<string, MemoryId>()
  #lastSeq: number
  lastId: MemoryId | undefined
  lastRecordedAt: string

  private constructor(graph: GraphRow) {
    this.#lastSeq = graph.last_seq
    this.lastId = graph.last_id || undefined
    this.lastRecordedAt = graph.last_recorded_at
  }

  static async load(
    session: Session,
    graphId: GraphId,
    graph: GraphRow,
    events: readonly PastEvent[],
  ): Promise<LoadedPast> {
    const past = new LoadedPast(graph)
    if (graph.memories === 0) return past
    const ids = events.flatMap(({ memoryId, links }) => [memoryId, ...links.map(({ target }) => target)])
    const rows = await session.rows<{
      memory_id: string
      times_seen: number
      source: string
      occurred_at: string
      content: Buffer
    }>(KNOWN, [graphId, ids.filter(isMemoryId), events.map(contentHash)])
    for (const row of rows) {
      const content = row.content.toString('latin1')
      past.#byContent.set(content, row.memory_id)
      past.#byId.set(row.memory_id, {
        timesSeen: row.times_seen,
        source: row.source,
        occurredAt: row.occurred_at,
        content,
      })
    }
    return past
  }

  timesSeen(memoryId: MemoryId): number | undefined {
    return this.#byId.get(memoryId)?.timesSeen
  }

  sameEvent(event: PastEvent): MemoryId | undefined {
    return this.#byContent.get(contentHash(event).toString('latin1'))
  }

  repeats(event: PastEvent): boolean {
    const known = this.#byId.get(event.memoryId)
    return (
      known?.content === contentHash(event).toString('latin1') &&
      known.source === event.source &&
      known.occurredAt === event.occurredAt
    )
  }

  add(event: PastEvent): EventRecord {
    const { memoryId: id, links, recordedAt, occurredAt, source, payload } = event
    const seq = ++this.#lastSeq
    this.lastRecordedAt = recordedAt
    const known = this.#byId.get(id)
    if (known !== undefined) {
      known.timesSeen++
      return { op: 'sighted', seq, id, links, recordedAt }
    }
    const content = contentHash(event)
    const key = content.toString('latin1')
    this.lastId = id
    this.#byId.set(id, { timesSeen: 1, source, occurredAt, content: key })
    this.#byContent.set(key, id)
    const { contextId: context, eventKind: kind } = event
    const document = documentOf(payload, context)
    const stamp = { seq, links, occurredAt, recordedAt }
    return { op: 'recorded', id, context, kind, source, payload, content, document, ...stamp }
  }
}

/** As many events at a time as one batch takes, however they come. */
async function* inLots(events: AsyncIterable<readonly PastEvent[]>): AsyncGenerator<readonly PastEvent[]> {
  let lot: PastEvent[] = []
  for await (const some of events)
    for (const event of some) {
      lot.push(event)
      if (lot.length < AT_ONCE) continue
      yield lot
      lot = []
    }
  if (lot.length > 0) yield lot
}
