import { type Past, refuseUnlessNext } from '../domain/events/import-order.js'
import { decidedAs, type PastEvent, recordOf, statementOf } from '../domain/events/recording.js'
import { contentOf } from '../domain/events/same-event.js'
import { Failure, graphExists, graphNotFound, noGraphYet } from '../domain/failure.js'
import type { GraphId, MemoryId } from '../domain/model.js'
import { quote } from '../domain/quote.js'
import type { Decisions } from '../domain/trust/claims/types.js'
import { check } from '../domain/trust/decide/check.js'
import { type ClaimId, fieldOf, fieldsIn, folded, memoryOf } from '../domain/trust/fields.js'
import { decideNext } from '../graph/deciding.js'
import type { Graph } from '../graph/graph.js'
import { type EventRecord, isEvent, type Recorded } from '../graph/records.js'
import { NOW } from '../graph/rows.js'
import { pastEventOf, statementIn } from '../graph/views.js'
import { createYielding } from '../loop/yielding.js'
import type { EventPath, ExportPart, GraphExport } from '../store/store.js'
import { applyEntry, type Copy, type CopyPorts, emptyCopy } from './copy.js'
import { type Entry, lastPositionOf } from './entries.js'
import { Behind, Diverged, type GraphLog, type Head } from './graph-log.js'
import type { OpenGraph } from './open-graph.js'

/** The characters of payloads in a page, which takes a few milliseconds to build. */
const PAGE_CHARACTERS = 24 * 1024
/** Of an entry with more characters, only one page is kept in memory while the caller is busy. */
const MAX_ENTRY_CHARACTERS = 512 * 1024

/** Exports the events of a graph as it is now. Ends with an error if something is erased meanwhile. */
export function exportOf(open: OpenGraph, log: GraphLog, { after = 0, asOf }: ExportPart): GraphExport {
  const { graph } = open
  const head = open.head()
  if (asOf !== undefined && graph.timeline.first > graph.placeOf(asOf)) throw noGraphYet(head.graphId)
  const last = Math.min(graph.lastPlace, asOf === undefined ? NOW : graph.placeOf(asOf))
  let isClosed = false
  const events = (async function* () {
    const yielding = createYielding()
    for await (const page of pagesAfter(after, last, { graph, head, log })) {
      if (isClosed) return
      if (open.graph !== graph) throw new ChangedMeanwhile(head.graphId)
      yield page.map((record) => graph.pastEvent(record))
      const turn = yielding()
      if (turn !== undefined) await turn
    }
  })()
  return {
    latestAt: graph.latestAt(last),
    events,
    async close() {
      isClosed = true
      await events.return(undefined)
    },
  }
}

type Page = readonly EventRecord[]

/** The graph and the log that an export reads. */
interface Exported {
  readonly graph: Graph
  readonly head: Head
  readonly log: GraphLog
}

/** The records after the place `after`, up to the place `last`. */
async function* pagesAfter(after: number, last: number, exported: Exported): AsyncGenerator<Page> {
  const { graph, head, log } = exported
  const isPart = ({ place }: EventRecord) => place > after && place <= last
  const end = last > after ? graph.timeline.positionOf(last) : 0
  let from = graph.timeline.positionOf(after) + 1
  while (from <= end) {
    const reading = log.read(head.graphId, undefined, head, from)[Symbol.asyncIterator]()
    let large: number | undefined
    try {
      while (large === undefined && from <= end) {
        const batch = await nextBatch(reading, from, exported)
        // The reading of a graph that was removed meanwhile is empty.
        if (batch === undefined) throw new ChangedMeanwhile(head.graphId)
        large = batch.large
        // Ended early, since the reading keeps its last batch in memory.
        if (large !== undefined) await reading.return?.()
        for (const entry of batch.small) {
          yield* pagesOf(entry.records.filter(isEvent).filter(isPart), exported)
          from = lastPositionOf(entry) + 1
        }
      }
    } finally {
      await reading.return?.()
    }
    if (large === undefined) return
    let weak: WeakRef<Page> | undefined
    for (let i: number | undefined = 0; i !== undefined; ) {
      const found = await pageOfLarge(large, i, weak, exported)
      weak = found.weak
      i = found.next
      from = found.from
      const page = found.page.filter(isPart)
      if (page.length > 0) yield page
    }
  }
}

/** The next entries, up to the first large one, and the position of that one. */
async function nextBatch(
  reading: AsyncIterator<readonly Entry[]>,
  from: number,
  { graph, head }: Exported,
): Promise<{ readonly small: readonly Entry[]; readonly large?: number } | undefined> {
  const { done, value } = await reading.next().catch((error: unknown) => {
    throw error instanceof Diverged ? new ChangedMeanwhile(head.graphId) : error
  })
  if (done === true) return undefined
  const entries = value.filter((entry: Entry) => lastPositionOf(entry) >= from)
  const at = entries.findIndex(
    ({ records }) => charactersOf(records.filter(isEvent), graph) > MAX_ENTRY_CHARACTERS,
  )
  const large = entries[at]
  return large === undefined ? { small: entries } : { small: entries.slice(0, at), large: large.position }
}

/** A page of a large entry. Reads the entry again if its records were garbage-collected. */
async function pageOfLarge(position: number, i: number, weak: WeakRef<Page> | undefined, exported: Exported) {
  const { head, log } = exported
  let records = weak?.deref()
  if (records === undefined)
    for await (const entry of entriesUpTo(head, log, position)) {
      if (entry.position < position) continue
      records = entry.records.filter(isEvent)
      break
    }
  if (records === undefined) throw new ChangedMeanwhile(head.graphId)
  const from = (records.at(-1)?.seq ?? position) + 1
  const [page = []] = pagesOf(records.slice(i), exported)
  const next = i + page.length
  return { page, next: next < records.length ? next : undefined, from, weak: new WeakRef(records) }
}

function charactersOf(records: Page, graph: Graph): number {
  return records.reduce((sum, { id }) => sum + (graph.rows.find(id)?.payload.length ?? 0), 0)
}

function* pagesOf(records: Page, { graph, head: { graphId } }: Exported): Generator<Page> {
  let from = 0
  let characters = 0
  for (const [i, { id }] of records.entries()) {
    const row = graph.rows.find(id)
    // After a failover, the log holds other entries than the graph was built from.
    if (row === undefined) throw new ChangedMeanwhile(graphId)
    characters += row.payload.length
    if (characters < PAGE_CHARACTERS && i < records.length - 1) continue
    yield records.slice(from, i + 1)
    from = i + 1
    characters = 0
  }
}

/** As `exportOf`, for a graph that does not fit into memory. Reads the log twice, first to find repeated events. */
export async function streamedExportOf(
  graphId: GraphId,
  log: GraphLog,
  { after = 0, asOf }: ExportPart,
): Promise<GraphExport> {
  const head = await log.head(graphId)
  if (head === undefined) throw graphNotFound(graphId)
  const isPart = ({ place, recordedAt }: EventRecord) =>
    asOf === undefined || ('place' in asOf ? place <= asOf.place : recordedAt <= asOf.time)
  const timesSeen = new Map<MemoryId, number>()
  const firsts = new Map<MemoryId, Recorded>()
  let latestAt: string | undefined
  let last = 0
  for await (const { records } of entriesUpTo(head, log))
    for (const record of records.filter(isEvent).filter(isPart)) {
      last = record.place
      if (record.op === 'recorded') latestAt = record.recordedAt
      else timesSeen.set(record.id, 0)
    }
  if (asOf !== undefined && last === 0) throw noGraphYet(graphId)
  const events = (async function* () {
    const yielding = createYielding()
    for await (const { records } of entriesUpTo(head, log)) {
      const page: PastEvent[] = []
      for (const record of records.filter(isEvent)) {
        if (record.place > last) break
        const times = timesSeen.get(record.id)
        if (times !== undefined) timesSeen.set(record.id, times + 1)
        if (times !== undefined && record.op === 'recorded') firsts.set(record.id, record)
        const first = record.op === 'recorded' ? record : firsts.get(record.id)
        if (first !== undefined && record.place > after)
          page.push(pastEventOf(record, first, (times ?? 0) + 1))
      }
      if (page.length > 0) yield page
      const turn = yielding()
      if (turn !== undefined) await turn
    }
  })()
  return { latestAt, events, close: async () => void (await events.return(undefined)) }
}

async function* entriesUpTo(head: Head, log: GraphLog, from?: number): AsyncGenerator<Entry> {
  try {
    for await (const entries of log.read(head.graphId, undefined, head, from))
      for (const entry of entries) {
        if (entry.position > head.position) return
        yield entry
      }
  } catch (error) {
    throw error instanceof Diverged ? new ChangedMeanwhile(head.graphId) : error
  }
}

/** Something was erased during an export, which ends so that it does not contain erased text. */
export class ChangedMeanwhile extends Failure {
  constructor(graphId: GraphId) {
    super('storage_unavailable', `Something in the graph ${graphId} was erased while it was read. Ask again.`)
  }
}

/** The source of an import failed; the error of the source is the cause. */
export class SourceFailed extends Error {}

/** Creates a graph from the events of an export, and checks that they form a valid graph. */
export async function importOf(
  graphId: GraphId,
  events: AsyncIterable<readonly PastEvent[]>,
  at: EventPath,
  ports: CopyPorts,
): Promise<{ readonly copy: Copy; readonly events: number }> {
  const copy = emptyCopy(graphId, ports)
  const counter = { events: 0 }
  try {
    copy.head = await ports.log.replace(graphId, undefined, entriesOf(copy, events, at, counter))
    return { copy, events: counter.events }
  } catch (error) {
    throw error instanceof Behind ? graphExists(graphId) : error
  }
}

async function* entriesOf(
  copy: Copy,
  events: AsyncIterable<readonly PastEvent[]>,
  at: EventPath,
  counter: { events: number },
): AsyncGenerator<readonly Entry[]> {
  const { graph } = copy
  const yielding = createYielding()
  const past = pastOf(graph)
  for await (const some of events) {
    const position = graph.lastSeq + 1
    const records: EventRecord[] = []
    for (const event of some) {
      const path = at(counter.events)
      const content = contentOf(event)
      refuseUnlessNext(event, content, past, path)
      const record = await nextRecord(event, graph, path)
      graph.apply(record, content)
      records.push(record)
      counter.events++
      const turn = yielding()
      if (turn !== undefined) await turn
    }
    if (records.length > 0) yield [{ position, count: records.length, records }]
  }
  const { lastSeq, lastId, lastPlace, lastRecordedAt } = graph
  const ending: Entry = {
    position: lastSeq + 1,
    count: 1,
    records: [
      {
        op: 'rewritten',
        seq: lastSeq + 1,
        ...(lastId !== undefined && { lastId }),
        lastPlace,
        recordedAt: lastRecordedAt,
      },
    ],
  }
  await applyEntry(copy, ending, yielding)
  yield [ending]
}

/** The record of an event. Decisions of the event must follow from the rules; if it has none, they are made here. */
async function nextRecord(event: PastEvent, graph: Graph, path: string): Promise<EventRecord> {
  const { decisions, place = graph.lastPlace + 1, contextId } = event
  const record = recordOf(event, graph.lastSeq + 1, place)
  if (decisions === undefined) return decideNext(graph, record)
  const message =
    unknownClaim(event, decisions, graph) ??
    check({ ...statementOf(record, contextId), decisions }, graph.claims)
  if (message === undefined) return decidedAs(record, decisions)
  throw new Failure('invalid_import', `The events are not those of a graph: at ${path}, ${message}`, {
    errors: [{ path, message }],
  })
}

/** Returns an error if an event links to, or decides on, a memory or a field that does not exist. */
function unknownClaim(event: PastEvent, decisions: Decisions, graph: Graph): string | undefined {
  const ownFields = fieldsIn(event.payload, event.contextId)
  const hasField = (memory: MemoryId, field: string) =>
    memory === event.memoryId
      ? ownFields.values.has(folded(field))
      : graph.has(memory) && graph.hasField(memory, field)
  const links = event.links.flatMap(({ target, field }) =>
    field === undefined ? [] : [{ memory: target, field }],
  )
  const claims = claimsNamedIn(decisions).map((id) => ({ memory: memoryOf(id), field: fieldNameOf(id) }))
  const missing = [...links, ...claims].find(({ memory, field }) => field !== '' && !hasField(memory, field))
  return missing && `${missing.memory} has no field ${quote(missing.field)}.`
}

function claimsNamedIn({ bears, opposes, reinforces, returns, unresolved }: Decisions): ClaimId[] {
  return [
    ...bears.flat(),
    ...opposes.flatMap(({ by, against }) => [by, against]),
    ...[...reinforces, ...returns].map(({ claim }) => claim),
    ...unresolved.flatMap(({ candidates }) => candidates),
  ]
}

/** Empty for a whole memory. Returns an invalid pointer unchanged, since no field has such a name. */
function fieldNameOf(id: ClaimId): string {
  try {
    return fieldOf(id) ?? ''
  } catch {
    return id
  }
}

/** The graph after the events imported so far. */
function pastOf(graph: Graph): Past {
  return {
    get lastId() {
      return graph.lastId
    },
    get lastPlace() {
      return graph.lastPlace
    },
    get lastRecordedAt() {
      return graph.lastRecordedAt
    },
    sameEvent: (content) => graph.sameEvent(content),
    find(memoryId) {
      const row = graph.rows.find(memoryId)
      return (
        row && {
          timesSeen: 1 + row.sightings.length,
          get key() {
            return contentOf(statementIn(row)).key
          },
        }
      )
    },
  }
}
