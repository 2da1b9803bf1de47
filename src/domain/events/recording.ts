import type { ClockAndRandom } from '../clock-and-random.js'
import { Failure } from '../failure.js'
import { ID_BYTES, NO_MEMORY, nextMemoryId } from '../ids.js'
import { type Known, refuseBothWays, refuseUnknownMemories } from '../links.js'
import type { ContextId, EventKind, MemoryId, NewMemory, Receipt } from '../model.js'
import { type Decisions, NOTHING_DECIDED, type Statement } from '../trust/claims/types.js'
import type { Content } from './same-event.js'

/** An event that was recorded. A graph is nothing but its records in order of `seq`. */
export type EventRecord = Recorded | Sighted

/** What every event adds, the first of its kind or not. */
interface Stated extends Added, Pick<NewMemory, 'source' | 'links'> {
  readonly seq: number
  /** Its place in the order of recording, which erasures and imports keep: by it "later" is decided. */
  readonly place: number
  readonly id: MemoryId
  readonly occurredAt: string
  readonly recordedAt: string
  /** What was decided when it was recorded; absent where that is `NOTHING_DECIDED`. */
  readonly decisions?: Decisions
}

/** A new memory. */
export interface Recorded extends Stated, Pick<NewMemory, 'payload'> {
  readonly op: 'recorded'
  readonly context: ContextId
  readonly kind: EventKind
}

/** The same event again: one more statement of the claim, with its own source and links. */
export interface Sighted extends Stated {
  readonly op: 'sighted'
}

/** What a graph says about the event that comes next. */
export interface GraphSoFar extends Known {
  readonly lastSeq: number
  readonly lastPlace: number
  /** The last id that was given out, though its memory may be gone. */
  readonly lastId: MemoryId | undefined
  readonly lastRecordedAt: string
  /** The memory that the same event became. */
  sameEvent(content: Content): MemoryId | undefined
}

/** A record and the texts of its event. */
interface Draft<C extends Content> {
  readonly record: EventRecord
  readonly content: C
}

/**
 * Makes events into records, one after the other, without touching the graph: the store applies the records once they
 * are durable.
 */
export class Recorder<C extends Content> {
  readonly #graph: GraphSoFar
  readonly #contentOf: (event: NewMemory) => C
  readonly #clockAndRandom: ClockAndRandom
  readonly #new = new Map<string, MemoryId>()
  #lastSeq: number
  #lastPlace: number
  #lastId: MemoryId | undefined
  #recordedAt: string

  constructor(graph: GraphSoFar, contentOf: (event: NewMemory) => C, clockAndRandom: ClockAndRandom) {
    this.#graph = graph
    this.#contentOf = contentOf
    this.#clockAndRandom = clockAndRandom
    this.#lastSeq = graph.lastSeq
    this.#lastPlace = graph.lastPlace
    this.#lastId = graph.lastId
    this.#recordedAt = graph.lastRecordedAt
  }

  /** Throws when the links of an event contradict themselves or name an unknown memory; `path` is where it stands. */
  refuse({ links }: NewMemory, path: string): void {
    refuseBothWays(links, path)
    refuseUnknownMemories(links, path, this.#graph)
  }

  record(event: NewMemory): Draft<C> {
    const now = this.#clockAndRandom.now()
    const clock = now.toISOString()
    // The clock may step back; the order of recording does not.
    if (clock > this.#recordedAt) this.#recordedAt = clock
    const { contextId: context, eventKind: kind, source, payload, links } = event
    const occurredAt = event.occurredAt ?? startOf(event, clock)
    // Nor does the time from which an event holds that gives no time itself: it would come behind what was said before.
    const added = addedTo(this.#isSetBack(event, clock) ? { ...event, validFrom: this.#recordedAt } : event)
    if (this.#lastPlace >= Number.MAX_SAFE_INTEGER)
      throw new Failure('storage_full', 'The graph has used up its sequence numbers. Record in another one.')
    const order = { seq: ++this.#lastSeq, place: ++this.#lastPlace }
    const stated = { ...order, source, links, occurredAt, recordedAt: this.#recordedAt, ...added }
    const content = this.#contentOf(event)
    const same = this.#new.get(content.key) ?? this.#graph.sameEvent(content)
    if (same !== undefined) return { record: { op: 'sighted', id: same, ...stated }, content }
    const id = nextMemoryId(this.#lastId, now.getTime(), this.#clockAndRandom.randomBytes(ID_BYTES))
    this.#lastId = id
    this.#new.set(content.key, id)
    return { record: { op: 'recorded', id, context, kind, payload, ...stated }, content }
  }

  #isSetBack({ occurredAt, validFrom, validUntil }: NewMemory, clock: string): boolean {
    if (clock >= this.#recordedAt || occurredAt !== undefined || validFrom !== undefined) return false
    return validUntil === undefined || validUntil > this.#recordedAt
  }
}

/** The time of the clock, or just before the end of an event that has ended since it was sent. */
function startOf({ validFrom, validUntil }: NewMemory, clock: string): string {
  if (validFrom !== undefined || validUntil === undefined || validUntil > clock) return clock
  return new Date(Date.parse(validUntil) - 1).toISOString()
}

/** The receipt of an event that was not recorded after all: the id that it was given is not kept. */
export function ofDryRun(receipt: Receipt): Receipt {
  return receipt.status === 'duplicate' ? receipt : { ...receipt, memoryId: NO_MEMORY }
}

/** The record of an event that was recorded before, in this graph or another. */
export function recordOf(event: PastEvent, seq: number, place: number): EventRecord {
  const { memoryId: id, links, recordedAt, occurredAt, source, payload } = event
  const stated = { seq, place, id, source, links, occurredAt, recordedAt, ...addedTo(event) }
  if (event.timesSeen > 1) return { op: 'sighted', ...stated }
  return { op: 'recorded', context: event.contextId, kind: event.eventKind, payload, ...stated }
}

/** What only some statements have. */
export function addedTo({ validFrom, validUntil, recordedBy }: Added): Added {
  return {
    ...(validFrom !== undefined && { validFrom }),
    ...(validUntil !== undefined && { validUntil }),
    ...(recordedBy !== undefined && { recordedBy }),
  }
}

type Added = Pick<NewMemory, 'validFrom' | 'validUntil' | 'recordedBy'>

/** A record with what was decided of it. */
export function decidedAs<R extends EventRecord>(record: R, decisions: Decisions): R {
  return isNothing(decisions) ? record : { ...record, decisions }
}

/** Do the decisions say no more than `NOTHING_DECIDED`? */
export function isNothing(decisions: Decisions): boolean {
  return Object.values(decisions).every((list: readonly unknown[]) => list.length === 0)
}

/** What a record states, for the rules of trust. `contextId` is where its memory is filed. */
export function statementOf(record: EventRecord, contextId: ContextId): Statement {
  const { place, id: claim, source, links, recordedAt, recordedBy, occurredAt } = record
  const { validFrom: from = occurredAt, validUntil: until } = record
  const first = record.op === 'recorded'
  return { place, claim, contextId, first, source, links, recordedAt, recordedBy, from, until }
}

export function decisionsOf({ decisions = NOTHING_DECIDED }: EventRecord): Decisions {
  return decisions
}

/**
 * An event as it was recorded, with what the service added: all of them in order are the graph. An event that was
 * recorded again appears again, with its own source and links and one more in `timesSeen`.
 */
export interface PastEvent extends NewMemory {
  readonly memoryId: MemoryId
  readonly occurredAt: string
  readonly recordedAt: string
  readonly timesSeen: number
  /** Undefined in an export of format 1, whose events are numbered when they are imported. */
  readonly place: number | undefined
  /** Undefined in an export of format 1, whose events are decided when they are imported. */
  readonly decisions: Decisions | undefined
}
