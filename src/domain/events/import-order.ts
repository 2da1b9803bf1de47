import { Failure } from '../failure.js'
import { isMemoryId } from '../ids.js'
import type { MemoryId, PastEvent } from '../model.js'

/** What the events of an import so far say about what may come next. */
export interface Past {
  readonly lastId: MemoryId | undefined
  readonly lastRecordedAt: string
  /** How often a memory was seen so far; undefined when no event recorded it. */
  timesSeen(memoryId: MemoryId): number | undefined
  /** The memory that the same event became. */
  sameEvent(event: PastEvent): MemoryId | undefined
  /** Does the event say what its memory said the first time: content, source and time? */
  repeats(event: PastEvent): boolean
}

/** Refuses an event that cannot come next, since the whole would not be a graph; `path` is its place in the request. */
export function refuseUnlessNext(event: PastEvent, past: Past, path: string): void {
  const message = faultIn(event, past)
  if (message === undefined) return
  throw new Failure('invalid_import', `The events are not those of a graph: at ${path}, ${message}.`, {
    errors: [{ path, message }],
  })
}

function faultIn(event: PastEvent, past: Past): string | undefined {
  const { memoryId, timesSeen, recordedAt, occurredAt, links } = event
  if (!isMemoryId(memoryId)) return `${memoryId} is not a memory id`
  if (!isTime(recordedAt) || (occurredAt !== recordedAt && !isTime(occurredAt)))
    return 'a time is not given as ISO 8601 in UTC'
  if (recordedAt < past.lastRecordedAt) return `it was recorded before the one above it (${recordedAt})`
  const unknown = links.find(({ target }) => isMemoryId(target) && past.timesSeen(target) === undefined)
  if (unknown !== undefined) return `it links to ${unknown.target}, which no event above it recorded`
  return timesSeen === 1 ? faultInFirst(event, past) : faultInRepeat(event, past)
}

function faultInFirst(event: PastEvent, past: Past): string | undefined {
  const { memoryId } = event
  if (past.timesSeen(memoryId) !== undefined)
    return `${memoryId} was recorded above; seen again, it counts on in times_seen`
  if (past.lastId !== undefined && memoryId < past.lastId)
    return `its id ${memoryId} does not come after ${past.lastId}, the one above it`
  const same = past.sameEvent(event)
  return same === undefined ? undefined : `it is the same event as ${same}, under another id`
}

function faultInRepeat(event: PastEvent, past: Past): string | undefined {
  const { memoryId, timesSeen } = event
  const before = past.timesSeen(memoryId)
  if (before === undefined) return `no event above it recorded ${memoryId}, which it says was seen before`
  if (timesSeen !== before + 1) return `times_seen is ${timesSeen} where ${before + 1} comes next`
  return past.repeats(event) ? undefined : `it says something else than ${memoryId} said the first time`
}

/** Times are compared as text, so they must be written in one way. */
function isTime(text: string): boolean {
  const time = new Date(text)
  return !Number.isNaN(time.getTime()) && time.toISOString() === text
}
