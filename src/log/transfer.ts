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
import { applyEntry, type Copy, type CopyPorts, dropCopy, emptyCopy } from './copy.js'
import { type Entry, lastPositionOf } from './entries.js'
import { Behind, Diverged, type GraphLog, type Head, readThrough } from './graph-log.js'
import type { OpenGraph } from './open-graph.js'
import { withoutRowFields } from './recent.js'

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
  const events = (async function* () {
    const yielding = createYielding()
    for await (const page of pagesAfter(after, last, { graph, head, log })) {
      if (open.graph !== graph) throw new ChangedMeanwhile(head.graphId)
      yield page.map((record) => graph.pastEvent(record))
      await yielding()
    }
  })()
  return { latestAt: graph.latestAt(last), events }
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
  const { timeline } = exported.graph
  const isPart = ({ place }: EventRecord) => place > after && place <= last
  const end = timeline.positionOf(last)
  let from = timeline.positionOf(after) + 1
  while (from <= end) {
    const large = yield* smallPages(entriesOf(exported, from, end), isPart, exported)
    if (large === undefined) return
    yield* pagesOf(large.records, exported)
    from = large.next
  }
}

/**
 * The pages of the entries up to the first large one, of which the records are returned, without what their rows hold. A reading
 * keeps its last batch in memory, so it has ended then.
 */
async function* smallPages(
  entries: AsyncIterable<Entry>,
  isPart: (record: EventRecord) => boolean,
  exported: Exported,
): AsyncGenerator<Page, { readonly records: Page; readonly next: number } | undefined> {
  for await (const entry of entries) {
    const records = entry.records.filter(isEvent).filter(isPart)
    const characters = records.reduce((sum, record) => sum + charactersOf(record, exported), 0)
    if (characters > MAX_ENTRY_CHARACTERS)
      return { records: records.map(withoutRowFields), next: lastPositionOf(entry) + 1 }
    yield* pagesOf(records, exported)
  }
  return undefined
}

function* pagesOf(records: Page, exported: Exported): Generator<Page> {
  let page: EventRecord[] = []
  let characters = 0
  for (const record of records) {
    page.push(record)
    characters += charactersOf(record, exported)
    if (characters < PAGE_CHARACTERS) continue
    yield page
    page = []
    characters = 0
  }
  if (page.length > 0) yield page
}

function charactersOf({ id }: EventRecord, { graph, head: { graphId } }: Exported): number {
  const row = graph.rows.find(id)
  // After a failover, the log holds other entries than the graph was built from.
  if (row === undefined) throw new ChangedMeanwhile(graphId)
  return row.payload.length
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
  for await (const { records } of entriesOf({ head, log }))
    for (const record of records.filter(isEvent).filter(isPart)) {
      last = record.place
      if (record.op === 'recorded') latestAt = record.recordedAt
      else timesSeen.set(record.id, 0)
    }
  if (asOf !== undefined && last === 0) throw noGraphYet(graphId)
  const events = (async function* () {
    const yielding = createYielding()
    for await (const { records } of entriesOf({ head, log })) {
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
      await yielding()
    }
  })()
  return { latestAt, events }
}

/** The entries of a graph that end at `from` or later and begin at `end` or before. */
async function* entriesOf(
  { head, log }: Omit<Exported, 'graph'>,
  from = 1,
  end = head.position,
): AsyncGenerator<Entry> {
  try {
    for await (const entries of readThrough(log, head, undefined, from))
      for (const entry of entries)
        if (entry.position > end) return
        else if (lastPositionOf(entry) >= from) yield entry
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

/** Creates a graph from the events of an export, and checks that they form a valid graph. */
export async function importOf(
  graphId: GraphId,
  events: AsyncIterable<readonly PastEvent[]>,
  at: EventPath,
  ports: CopyPorts,
): Promise<{ readonly copy: Copy; readonly events: number }> {
  const copy = emptyCopy(graphId, ports)
  const { graph } = copy
  let count = 0
  async function* entries(): AsyncGenerator<readonly Entry[]> {
    const yielding = createYielding()
    const past = pastOf(graph)
    for await (const some of events) {
      const position = graph.lastSeq + 1
      const records: EventRecord[] = []
      for (const event of some) {
        const path = at(count)
        const content = contentOf(event)
        refuseUnlessNext(event, content, past, path)
        const record = await nextRecord(event, graph, path)
        graph.apply(record, content)
        records.push(record)
        count++
        const turn = yielding()
        if (turn !== undefined) await turn
      }
      if (records.length > 0) yield [{ position, count: records.length, records }]
    }
    const ending = endingOf(graph)
    await applyEntry(copy, ending, yielding)
    yield [ending]
  }
  try {
    copy.head = await ports.log.replace(graphId, undefined, entries())
    return { copy, events: count }
  } catch (error) {
    await dropCopy(copy, ports)
    throw error instanceof Behind ? graphExists(graphId) : error
  }
}

/** The entry after which a graph continues where an imported one ended. */
function endingOf({ lastSeq, lastId, lastPlace, lastRecordedAt }: Graph): Entry {
  const seq = lastSeq + 1
  const numbers = { seq, lastPlace, recordedAt: lastRecordedAt }
  const record = { op: 'rewritten', ...numbers, ...(lastId !== undefined && { lastId }) } as const
  return { position: seq, count: 1, records: [record] }
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
