import { decidedAs, decisionsOf, statementOf } from '../domain/events/recording.js'
import { isMemoryId } from '../domain/ids.js'
import { type ContextId, type Erasure as Erasing, MAX_ERASED_IDS, type MemoryId } from '../domain/model.js'
import { NOTHING_DECIDED, type Recorded } from '../domain/trust/claims/types.js'
import { connectedWith, decideWithout, joinedBy, unresolvedWithout } from '../domain/trust/erase/erasure.js'
import { judgementOf } from '../graph/deciding.js'
import type { Graph } from '../graph/graph.js'
import {
  type Erased,
  type EventRecord,
  type GraphRecord,
  isEvent,
  type Plan,
  type SpentKey,
} from '../graph/records.js'
import { type ContextRow, claimOf, type MemoryRow } from '../graph/rows.js'
import { createYielding, inSlices } from '../loop/yielding.js'
import type { ErasedStatement } from '../store/feeds.js'
import { applyEntry, type Copy } from './copy.js'
import type { Entry } from './entries.js'
import { type Erasure, type Head, type LockedLog, readThrough } from './graph-log.js'
import type { ChangedAnswer } from './idempotency.js'

/** What an erasure would take. Works in slices and changes nothing; the caller keeps writers out. */
export async function planErasure(graph: Graph, what: Erasing): Promise<Plan> {
  const going = goingFrom(graph, what)
  const ids = new Set(going.map(({ id }) => id))
  const left = new Set<ContextRow>()
  let relationships = 0
  const yielding = createYielding()
  for (const row of graph.rows.list) {
    const goes = ids.has(row.id)
    if (!goes) left.add(row.context)
    for (const { target } of row.links) {
      if (goes || ids.has(target)) relationships++
      else if (!isMemoryId(target)) left.add(graph.contexts.get(target))
    }
    const turn = yielding()
    if (turn !== undefined) await turn
  }
  return {
    ids,
    erased: {
      memories: going.length,
      memoryIds: going.slice(0, MAX_ERASED_IDS).map(({ id }) => id),
      relationships,
      contexts: graph.contexts.size - left.size,
    },
  }
}

/**
 * What the log has to change to be without some memories, worked out for one state of a graph. If other processes write
 * meanwhile, `follow` adds what they wrote instead of starting anew. Works in slices; the caller keeps writers of this process out.
 */
export class PreparedErasure {
  /** The graph that the changed log gives. */
  readonly left: Copy
  readonly #before: Copy
  readonly #ids: ReadonlySet<MemoryId>
  readonly #changed: Entry[] = []
  readonly #removed: [number, number][] = []
  #decidedAgain: DecidedAgain = NOTHING_AGAIN
  #spent: readonly SpentKey[] = []
  /** False if the last preparation failed or was refused: `left` may have a part of it. */
  isReady = false

  constructor(before: Copy, ids: ReadonlySet<MemoryId>, left: Copy) {
    this.#before = before
    this.#ids = ids
    this.left = left
  }

  /** The log is read three times, so that only the events that are decided again are held in memory. */
  async prepare(log: LockedLog): Promise<void> {
    this.#decidedAgain = await decideAgain(this.#before, this.#ids, log)
    await this.#addNewEntries(log, () => false)
  }

  /** Adds what `before` has got since. Resolves to false if that has to do with what is erased: prepare another one. */
  async follow(before: Copy, ids: ReadonlySet<MemoryId>, log: LockedLog): Promise<boolean> {
    const canFollow = this.isReady && before === this.#before && ids.size === this.#ids.size
    this.isReady = false
    if (canFollow) await this.#addNewEntries(log, (record) => !isEvent(record) || this.#concerns(record))
    return this.isReady
  }

  /** To be given to the log, if its head is still that of the graph. */
  get erasure(): Erasure {
    const { lastSeq, lastId, lastPlace, lastRecordedAt } = this.#before.graph
    const record: Erased = {
      op: 'erased',
      seq: lastSeq + 1,
      removed: this.#removed,
      ...(lastId !== undefined && { lastId }),
      lastPlace,
      recordedAt: lastRecordedAt,
      ...(this.#spent.length > 0 && { spent: this.#spent }),
    }
    const erased: Entry = { position: record.seq, count: 1, records: [record] }
    return { changed: this.#changed, erased, memoryIds: this.#ids }
  }

  /** Brings `left` to the head that the log had after the erasure. */
  async finish({ erased }: Erasure, head: Head): Promise<void> {
    await applyEntry(this.left, erased, createYielding())
    this.left.head = head
  }

  async #addNewEntries(log: LockedLog, isRefused: (record: GraphRecord) => boolean): Promise<void> {
    const ids = this.#ids
    const { changed: changedAnswers, spent } = this.#before.idempotency.without(ids)
    const answers = new Map(changedAnswers.map((answer) => [answer.position, answer]))
    const yielding = createYielding()
    for await (const entry of entriesOf(this.#before, log, this.left.head)) {
      if (entry.records.some(isRefused)) return
      const next = without(entry, ids, this.#decidedAgain.events, answers.get(entry.position))
      if (next !== entry) {
        this.#changed.push(next)
        const kept = new Set(next.records.map(({ seq }) => seq))
        for (const { seq } of entry.records) if (!kept.has(seq)) addTo(this.#removed, seq)
      }
      await applyEntry(this.left, next, yielding)
    }
    this.#spent = spent
    this.left.head = this.#before.head
    const { indexes } = this.left.graph
    await indexes.caughtUp()
    await indexes.hashContents()
    this.isReady = true
  }

  /** Does an event say or decide anything about what is erased, or about what is decided again because of it? */
  #concerns(event: EventRecord): boolean {
    const { memories, contexts, wholes } = this.#decidedAgain
    const { rows } = this.#before.graph
    const { context } = rows.get(event.id)
    const joined = joinedBy({ ...statementOf(event, context.id), decisions: decisionsOf(event) })
    const known = [...joined, ...event.links.map(({ target }) => target)]
    const nodes = event.op === 'sighted' ? [event.id, ...known] : known
    return nodes.some((node) =>
      isMemoryId(node)
        ? memories.has(node) || wholes.has(rows.find(node)?.context.id ?? '')
        : contexts.has(node) || wholes.has(node),
    )
  }
}

/** What an erasure decides again: events by place, and the memories and contexts that decided it. */
interface DecidedAgain {
  readonly events: ReadonlyMap<number, Recorded>
  readonly memories: ReadonlySet<MemoryId>
  readonly contexts: ReadonlySet<ContextId>
  /** The contexts that they build on as a whole: what stands there decides whether they are stale. */
  readonly wholes: ReadonlySet<ContextId>
}

const NOTHING_AGAIN: DecidedAgain = {
  events: new Map(),
  memories: new Set(),
  contexts: new Set(),
  wholes: new Set(),
}

/** The statements of some memories, in order of recording. */
export function statementsOf(rows: readonly MemoryRow[]): ErasedStatement[] {
  return rows
    .flatMap(({ id, place, sightings }) =>
      [{ place }, ...sightings].map((at) => ({ place: at.place, memoryId: id })),
    )
    .sort((a, b) => a.place - b.place)
}

/** The statements that a copy has and a later one has not. */
export function lostStatements(before: Graph, after: Graph): ErasedStatement[] {
  return statementsOf(before.rows.list).filter(
    ({ place }) => after.timeline.positionOf(place) !== before.timeline.positionOf(place),
  )
}

function addTo(ranges: [number, number][], position: number): void {
  const last = ranges.at(-1)
  if (last !== undefined && last[1] === position - 1) last[1] = position
  else ranges.push([position, position])
}

function goingFrom(graph: Graph, what: Erasing): readonly MemoryRow[] {
  if ('memoryId' in what) return [graph.rows.get(what.memoryId)]
  return 'contextId' in what ? graph.contexts.get(what.contextId).memories : graph.rows.list
}

/** The entries that a copy was made from, after the head `after`. */
async function* entriesOf({ head }: Copy, log: LockedLog, after?: Head): AsyncGenerator<Entry> {
  if (head !== undefined) for await (const entries of readThrough(log, head, after)) yield* entries
}

/** An entry as it is after an erasure; the same if nothing of it changes. */
function without(
  entry: Entry,
  ids: ReadonlySet<MemoryId>,
  decided: ReadonlyMap<number, Recorded>,
  answer: ChangedAnswer | undefined,
): Entry {
  const records = entry.records.flatMap((record): GraphRecord | [] => {
    if (!isEvent(record)) return record
    return ids.has(record.id) ? [] : withoutLinks(record, ids, decided)
  })
  const isSame =
    records.length === entry.records.length && records.every((one, i) => one === entry.records[i])
  if (isSame && answer === undefined) return entry
  const { position, count } = entry
  // One that is out of force goes with the first record of its write.
  const unchanged = records.length === entry.records.length ? entry.once : undefined
  const once = answer === undefined ? unchanged : answer.once
  return { position, count, records, ...(once !== undefined && { once }) }
}

/** A record without the links that name an erased memory, and with what is decided of it from now on. */
function withoutLinks(
  record: EventRecord,
  ids: ReadonlySet<MemoryId>,
  decided: ReadonlyMap<number, Recorded>,
): EventRecord {
  const again = decided.get(record.place)
  const { decisions: before, ...rest } = record
  if (again !== undefined) return decidedAs({ ...rest, links: again.links }, again.decisions)
  if (!record.links.some(({ target }) => ids.has(target))) return record
  const isKept = (_: unknown, i: number) => !ids.has(record.links[i]?.target ?? '')
  const links = record.links.filter(isKept)
  if (before === undefined) return { ...rest, links }
  return decidedAs(
    { ...rest, links },
    {
      ...before,
      bears: before.bears.filter(isKept),
      unresolved: unresolvedWithout(ids, { links: record.links, decisions: before }),
    },
  )
}

/** What is decided, once some memories are gone, of the events that have to do with them. */
async function decideAgain(copy: Copy, erased: ReadonlySet<MemoryId>, log: LockedLog): Promise<DecidedAgain> {
  const { graph } = copy
  const joining = await eventsOf(copy, log, ({ decisions }) => decisions !== undefined)
  const contexts = new Set(graph.rows.all(erased).map(({ context }) => context.id))
  const spoken = await inSlices(spokenOf(joining, erased, graph))
  const connected = await inSlices(connectedWith(erased, contexts, [...joining, ...spoken]))
  const touched = await eventsOf(copy, log, ({ id }) => connected.has(id))
  const events = await inSlices(decideWithout(erased, touched, graph.claims, judgementOf(graph)))
  return {
    events: new Map(events.map((event) => [event.place, event])),
    memories: new Set([...connected, ...erased]),
    contexts,
    wholes: new Set(touched.flatMap(({ decisions }) => decisions.wholes)),
  }
}

async function eventsOf(
  copy: Copy,
  log: LockedLog,
  isWanted: (record: EventRecord) => boolean,
): Promise<Recorded[]> {
  const found: Recorded[] = []
  for await (const { records } of entriesOf(copy, log))
    for (const record of records) {
      if (!isEvent(record) || !isWanted(record)) continue
      const { context } = copy.graph.rows.get(record.id)
      found.push({ ...statementOf(record, context.id), decisions: decisionsOf(record) })
    }
  return found
}

/** An event that decides nothing for each memory that others join to theirs: it may have no other. */
function* spokenOf(
  joining: readonly Recorded[],
  erased: Iterable<MemoryId>,
  graph: Graph,
): Generator<void, Recorded[]> {
  const ids = new Set(erased)
  for (const event of joining) {
    for (const node of joinedBy(event)) if (isMemoryId(node)) ids.add(node)
    yield
  }
  const spoken: Recorded[] = []
  for (const row of graph.rows.all(ids)) {
    const { id, context, place, source, recordedAt, recordedBy } = row
    const { from, until } = claimOf(row).spell
    const said = { place, claim: id, contextId: context.id, first: true, source, links: [], recordedAt }
    const statement = { ...said, from, until, ...(recordedBy !== undefined && { recordedBy }) }
    spoken.push({ ...statement, decisions: NOTHING_DECIDED })
    yield
  }
  return spoken
}
