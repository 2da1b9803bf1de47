import { Failure } from '../../domain/failure.js'
import { isMemoryId } from '../../domain/ids.js'
import type { GraphId, MemoryId, PastEvent } from '../../domain/model.js'
import type { EventPath } from '../store.js'
import { Change } from './change.js'
import { contentHash } from './content.js'
import type { Database } from './database.js'
import { flush } from './flush.js'
import { load } from './load.js'
import { lockIfThere, makeGraph } from './lock.js'
import type { EventRecord, GraphRow } from './rows.js'
import type { Session } from './session.js'

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
    if (!(await makeGraph(session, graphId)))
      throw new Failure('graph_exists', `There is a graph ${graphId} already.`)
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
    const past = await Past.load(session, graphId, graph, some)
    const records = some.map((event, i) => {
      const wrong = past.faultIn(event)
      if (wrong !== undefined) throw refused(wrong, at(count + i))
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
class Past {
  readonly #byId = new Map<MemoryId, Known>()
  readonly #byContent = new Map<string, MemoryId>()
  #lastSeq: number
  #lastId: string
  #lastRecordedAt: string

  private constructor(graph: GraphRow) {
    this.#lastSeq = graph.last_seq
    this.#lastId = graph.last_id
    this.#lastRecordedAt = graph.last_recorded_at
  }

  static async load(
    session: Session,
    graphId: GraphId,
    graph: GraphRow,
    events: readonly PastEvent[],
  ): Promise<Past> {
    const past = new Past(graph)
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

  /** What is wrong with an event that comes next, if anything. */
  faultIn(event: PastEvent): string | undefined {
    const { memoryId, timesSeen, recordedAt, occurredAt, links } = event
    if (!isMemoryId(memoryId)) return `${memoryId} is not a memory id`
    if (!isTime(recordedAt) || !isTime(occurredAt)) return 'a time is not given as ISO 8601 in UTC'
    if (recordedAt < this.#lastRecordedAt) return `it was recorded before the one above it (${recordedAt})`
    const unknown = links.find(({ target }) => isMemoryId(target) && !this.#byId.has(target))
    if (unknown !== undefined) return `it links to ${unknown.target}, which no event above it recorded`
    return timesSeen === 1 ? this.#faultInFirst(event) : this.#faultInRepeat(event)
  }

  add(event: PastEvent): EventRecord {
    const { memoryId: id, links, recordedAt, occurredAt, source, payload } = event
    const seq = ++this.#lastSeq
    this.#lastRecordedAt = recordedAt
    const known = this.#byId.get(id)
    if (known !== undefined) {
      known.timesSeen++
      return { op: 'sighted', seq, id, links, recordedAt }
    }
    const content = contentHash(event)
    const key = content.toString('latin1')
    this.#lastId = id
    this.#byId.set(id, { timesSeen: 1, source, occurredAt, content: key })
    this.#byContent.set(key, id)
    const { contextId: context, eventKind: kind } = event
    return { op: 'recorded', seq, id, context, kind, source, payload, content, links, occurredAt, recordedAt }
  }

  #faultInFirst(event: PastEvent): string | undefined {
    const { memoryId } = event
    if (this.#byId.has(memoryId))
      return `${memoryId} was recorded above; seen again, it counts on in times_seen`
    if (memoryId < this.#lastId)
      return `its id ${memoryId} does not come after ${this.#lastId}, the one above it`
    const same = this.#byContent.get(contentHash(event).toString('latin1'))
    return same === undefined ? undefined : `it is the same event as ${same}, under another id`
  }

  #faultInRepeat(event: PastEvent): string | undefined {
    const { memoryId, timesSeen } = event
    const known = this.#byId.get(memoryId)
    if (known === undefined) return `no event above it recorded ${memoryId}, which it says was seen before`
    const expected = known.timesSeen + 1
    if (timesSeen !== expected) return `times_seen is ${timesSeen} where ${expected} comes next`
    const same =
      known.content === contentHash(event).toString('latin1') &&
      known.source === event.source &&
      known.occurredAt === event.occurredAt
    return same ? undefined : `it says something else than ${memoryId} said the first time`
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

/** Times are compared as text, so they must be written in one way. */
function isTime(text: string): boolean {
  const time = new Date(text)
  return !Number.isNaN(time.getTime()) && time.toISOString() === text
}

function refused(wrong: string, path: string): Failure {
  return new Failure('invalid_import', `The events are not those of a graph: at ${path}, ${wrong}.`, {
    errors: [{ path, message: wrong }],
  })
}
