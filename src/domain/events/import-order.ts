import { Failure } from '../failure.js'
import { isMemoryId } from '../ids.js'
import type { MemoryId } from '../model.js'
import { isCanonical } from '../time.js'
import type { GraphSoFar, PastEvent } from './recording.js'
import type { Content } from './same-event.js'

/** Half of what a number can hold exactly: whatever is imported, the numbers do not run out behind it. */
const MAX_IMPORTED_PLACE = 2 ** 52

/** What the events of an import so far say about what may come next. */
export interface Past extends Pick<GraphSoFar, 'lastId' | 'lastPlace' | 'lastRecordedAt' | 'sameEvent'> {
  /** Undefined when no event so far recorded the memory. */
  find(memoryId: MemoryId): PastMemory | undefined
}

/** A memory as the events so far have made it. */
interface PastMemory extends Pick<PastEvent, 'timesSeen'> {
  /** The key of its content. */
  readonly key: string
}

/** Refuses an event that cannot come next, since the whole would not be a graph; `path` is its place in the request. */
export function refuseUnlessNext(event: PastEvent, content: Content, past: Past, path: string): void {
  const message = faultIn(event, content, past)
  if (message === undefined) return
  throw new Failure('invalid_import', `The events are not those of a graph: at ${path}, ${message}.`, {
    errors: [{ path, message }],
  })
}

function faultIn(event: PastEvent, content: Content, past: Past): string | undefined {
  const { memoryId, timesSeen, recordedAt, occurredAt, links } = event
  if (!isMemoryId(memoryId)) return `its id ${memoryId} is not a memory id`
  // Times are compared as text, so they must be written in one way.
  if (!isCanonical(recordedAt) || (occurredAt !== recordedAt && !isCanonical(occurredAt)))
    return 'a time is not given as ISO 8601 in UTC'
  if (recordedAt < past.lastRecordedAt) return `it was recorded before the one above it (${recordedAt})`
  if (event.place !== undefined && event.place <= past.lastPlace)
    return `its place ${event.place} does not come after ${past.lastPlace}, the one above it`
  if (event.place !== undefined && event.place > MAX_IMPORTED_PLACE)
    return `its place ${event.place} is above ${MAX_IMPORTED_PLACE}, which leaves no room for more`
  const unknown = links.find(({ target }) => isMemoryId(target) && past.find(target) === undefined)
  if (unknown !== undefined) return `it links to ${unknown.target}, which no event above it recorded`
  return timesSeen === 1 ? faultInFirst(event, content, past) : faultInRepeat(event, content, past)
}

function faultInFirst({ memoryId }: PastEvent, content: Content, past: Past): string | undefined {
  if (past.find(memoryId) !== undefined)
    return `its id ${memoryId} was recorded above; seen again, it counts on in times_seen`
  if (past.lastId !== undefined && memoryId < past.lastId)
    return `its id ${memoryId} does not come after ${past.lastId}, the one above it`
  const same = past.sameEvent(content)
  return same === undefined ? undefined : `it is the same event as ${same}, under another id`
}

function faultInRepeat(event: PastEvent, { key }: Content, past: Past): string | undefined {
  const { memoryId, timesSeen } = event
  const first = past.find(memoryId)
  if (first === undefined) return `no event above it recorded ${memoryId}, which it says was seen before`
  if (timesSeen !== first.timesSeen + 1)
    return `its times_seen is ${timesSeen} where ${first.timesSeen + 1} comes next`
  return first.key === key ? undefined : `it says something else than ${memoryId} said the first time`
}
