import { checkPayload, refuseEndedBefore, toLinks } from '../events/event.js'
import { MAX_DEPTH, mistakesInText, scanJson } from '../events/json-mistakes.js'
import { addedTo, type PastEvent } from '../events/recording.js'
import { Failure, type FieldError } from '../failure.js'
import { timeOfMemoryId } from '../ids.js'
import { LINK_FIELDS, type LinkField, linkPaths, writtenLink } from '../links.js'
import {
  type EventKind,
  type Json,
  type JsonObject,
  LINK_KINDS,
  type RecorderId,
  type Source,
} from '../model.js'
import { foldContextId } from '../names.js'
import { quote } from '../quote.js'
import { isObject } from '../text.js'
import { parseTimestamp } from '../time.js'
import { fromDecided, type WireDecided } from './decided.js'
import { FORMAT, type Hash } from './encode.js'
import { failureInLine, invalidLine } from './lines.js'

/** A line as the contract has it. */
export interface WireEvent extends Readonly<Partial<Record<LinkField, readonly string[]>>> {
  readonly event_kind: EventKind
  readonly payload: JsonObject
  readonly context_id: string
  readonly source: Source
  readonly timestamp: string
  readonly valid_from?: string
  readonly valid_until?: string
  readonly memory_id: string
  readonly recorded_at: string
  readonly times_seen: number
  /** Absent in format 1, as is `decided`. */
  readonly place?: number
  readonly recorded_by?: RecorderId
  readonly decided?: WireDecided
}

/** Holds a line against the contract's schema of it: what is wrong, by pointers that start with `/body`. */
export interface LineSchema {
  fits(line: Json): line is Json & WireEvent
  mistakes(): readonly FieldError[]
}

/** The line of the event at `index`: the header is line 1. */
export function lineOf(index: number): number {
  return index + 2
}

/**
 * The events of an export, some at a time, in the same order. Ends in an `invalid_import` that names the line when
 * anything is malformed, missing or changed; since the hash comes last, nothing may be kept before this has ended.
 *
 * ```ts
 * decodeExport(linesOf(createReadStream('graph.ndjson')), lineSchema(contract), createHash('sha256'), new Date())
 * ```
 */
export async function* decodeExport(
  batches: AsyncIterable<readonly string[]>,
  schema: LineSchema,
  sha256: Hash,
  now: Date,
): AsyncGenerator<readonly PastEvent[]> {
  const latest = now.getTime() + MAX_AHEAD_MS
  let line = 0
  let ended = false
  let format: number = FORMAT
  for await (const batch of batches) {
    const events: PastEvent[] = []
    for (const text of batch) {
      line++
      if (ended)
        throw invalidLine(line, '', 'must not follow the last line, which holds the count and the hash')
      const value = parse(text, line)
      if (line === 1) format = readHeader(value)
      else if (isLast(value)) {
        checkLast(value, line, sha256.digest('hex'))
        ended = true
      } else {
        const event = toEvent(value, line, schema, format)
        refuseFuture(event, line, latest)
        events.push(event)
        sha256.update(`${text}\n`)
      }
    }
    if (events.length > 0) yield events
  }
  if (line === 0) throw invalidLine(1, '', 'is missing: there is nothing to import')
  if (!ended) throw invalidLine(line + 1, '', 'is missing: the export is incomplete')
}

function parse(text: string, line: number): Json {
  let value: Json
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw invalidLine(line, '', 'must be one JSON object', cause)
  }
  const scanned = scanJson(text)
  if (scanned.tooDeep) throw invalidLine(line, '', `must be at most ${MAX_DEPTH} levels deep`)
  const [mistake] = mistakesInText(text, value, scanned)
  if (mistake !== undefined) throw invalidLine(line, mistake.path, mistake.message)
  return value
}

/** The format of the export. */
function readHeader(value: Json): number {
  const header = isObject(value) ? value : {}
  const format = header['loregraph']
  if (typeof header['after'] === 'number')
    throw invalidLine(
      1,
      '/after',
      `must not be there: this is the part of an export after place ${header['after']}, not a whole graph. Export it without after`,
    )
  if ((format === 1 || format === 2 || format === FORMAT) && typeof header['graph_id'] === 'string')
    return format
  const message =
    typeof header['loregraph'] === 'number'
      ? `must be the header of an export of format ${FORMAT}; this one is of another format`
      : `must be the header of an export, such as {"loregraph":${FORMAT},"graph_id":"demo","exported_at":"…"}`
  throw invalidLine(1, '', message)
}

function isLast(value: Json): value is JsonObject {
  return isObject(value) && 'sha256' in value && 'count' in value
}

function checkLast({ count, sha256 }: JsonObject, line: number, digest: string): void {
  const events = line - 2
  if (count !== events)
    throw invalidLine(line, '/count', `must be the number of events; there are ${events} before it`)
  if (sha256 !== digest)
    throw invalidLine(line, '/sha256', 'must be the hash of the lines before it; one of them was changed')
}

function toEvent(value: Json, line: number, schema: LineSchema, format: number): PastEvent {
  if (!schema.fits(value)) {
    const [first] = schema.mistakes()
    throw invalidLine(line, first?.path.replace(/^\/body/, '') ?? '', first?.message ?? 'must be an event')
  }
  try {
    return fromWire(value, format)
  } catch (error) {
    throw error instanceof Failure ? failureInLine(line, error) : error
  }
}

function fromWire(event: WireEvent, format: number): PastEvent {
  checkPlace(event, format)
  checkPayload(event.payload, '/body/payload')
  checkFolded(event.context_id, foldContextId(event.context_id, '/body/context_id'), '/context_id')
  const links = toLinks(event, '/body')
  const stated = LINK_KINDS.flatMap((kind) => event[LINK_FIELDS[kind]] ?? [])
  const paths = linkPaths(links)
  for (const [i, link] of links.entries()) checkFolded(stated[i], writtenLink(link), paths[i]?.path ?? '')
  const occurredAt = parseTimestamp(event.timestamp, '/body/timestamp')
  const { valid_from, valid_until, recorded_by: recordedBy } = event
  const validFrom = valid_from === undefined ? undefined : parseTimestamp(valid_from, '/body/valid_from')
  const validUntil = valid_until === undefined ? undefined : parseTimestamp(valid_until, '/body/valid_until')
  if (validUntil !== undefined) refuseEndedBefore({ occurredAt, validFrom }, validUntil, '/body/valid_until')
  return {
    memoryId: event.memory_id,
    contextId: event.context_id,
    eventKind: event.event_kind,
    source: event.source,
    payload: event.payload,
    links,
    occurredAt,
    recordedAt: parseTimestamp(event.recorded_at, '/body/recorded_at'),
    timesSeen: event.times_seen,
    ...addedTo({
      ...(validFrom && { validFrom }),
      ...(validUntil && { validUntil }),
      ...(recordedBy && { recordedBy }),
    }),
    place: event.place,
    decisions: format === 1 ? undefined : fromDecided(event.decided),
  }
}

/** Clocks differ by some minutes. What is further ahead would keep the times and ids of the graph there until it comes. */
const MAX_AHEAD_MS = 10 * 60_000

function refuseFuture({ recordedAt, memoryId }: PastEvent, line: number, latest: number): void {
  if (Date.parse(recordedAt) > latest)
    throw invalidLine(line, '/recorded_at', 'must not be in the future; is the clock right?')
  if (timeOfMemoryId(memoryId) > latest)
    throw invalidLine(line, '/memory_id', 'must not be an id from the future; is the clock right?')
}

function checkPlace({ place, decided }: WireEvent, format: number): void {
  const isThere = place !== undefined || decided !== undefined
  if (format === 1 ? !isThere : place !== undefined) return
  const message = format === 1 ? 'must not be there in an export of format 1' : 'is required'
  throw new Failure('invalid_import', message, { errors: [{ path: '/body/place', message }] })
}

/** Names in an export are those that the service gave: another spelling means that another program wrote it. */
function checkFolded(name: string | undefined, folded: string, place: string): void {
  if (name === folded) return
  const message = `must be written as it is folded, ${quote(folded)}`
  throw new Failure('invalid_import', message, { errors: [{ path: `/body${place}`, message }] })
}
