import type { PastEvent } from '../events/recording.js'
import type { MemoryId } from '../model.js'
import { encodeEvent } from './encode.js'

/** Server-sent events: each ends with an empty line, and a line of JSON holds no line feed. */

export function statementEvent(event: PastEvent): string {
  return `id: ${event.place}\nevent: statement\ndata: ${encodeEvent(event)}\n`
}

/** Without an id, so that a follower resumes after the last statement that it had. */
export function erasedEvent(erased: { readonly place: number; readonly memoryId: MemoryId }): string {
  const data = JSON.stringify({ place: erased.place, memory_id: erased.memoryId })
  return `event: erased\ndata: ${data}\n\n`
}

/** A comment, which readers pass over. */
export const HEARTBEAT = ':\n\n'
