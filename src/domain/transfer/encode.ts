import type { PastEvent } from '../events/recording.js'
import { linksByField } from '../links.js'
import type { GraphId } from '../model.js'
import { toDecided, withoutEmpty } from './decided.js'

/** Anything that takes text bit by bit and gives a digest, such as `createHash('sha256')` of Node.js. */
export interface Hash {
  update(text: string): unknown
  digest(encoding: 'hex'): string
}

/** The version of the format, in the header of every export. */
export const FORMAT = 3

/**
 * A graph as NDJSON, some lines at a time: a header, a line for each event in order of recording, and a last line with
 * their count and hash, without which an export is incomplete. `exportedAt` is when its latest memory was recorded, so
 * that the same graph gives the same bytes.
 *
 * ```ts
 * for await (const text of encodeExport({ graphId, exportedAt, events }, createHash('sha256'))) await file.write(text)
 * ```
 */
export async function* encodeExport(
  graph: {
    readonly graphId: GraphId
    /** Given for a part: it holds only the events after this place. */
    readonly after?: number
    readonly exportedAt: string
    readonly events: AsyncIterable<readonly PastEvent[]>
  },
  sha256: Hash,
): AsyncGenerator<string> {
  const { graphId: graph_id, exportedAt: exported_at, after = 0 } = graph
  yield `${JSON.stringify({ loregraph: FORMAT, graph_id, exported_at, ...(after > 0 && { after }) })}\n`
  let count = 0
  for await (const events of graph.events) {
    if (events.length === 0) continue
    const text = events.map(encodeEvent).join('')
    count += events.length
    sha256.update(text)
    yield text
  }
  yield `${JSON.stringify({ count, sha256: sha256.digest('hex') })}\n`
}

/** One line: what `recordEvent` takes, then what the service added. */
export function encodeEvent(event: PastEvent): string {
  return `${JSON.stringify({
    event_kind: event.eventKind,
    payload: event.payload,
    context_id: event.contextId,
    source: event.source,
    ...withoutEmpty(linksByField(event.links)),
    timestamp: event.occurredAt,
    ...(event.validFrom !== undefined && { valid_from: event.validFrom }),
    ...(event.validUntil !== undefined && { valid_until: event.validUntil }),
    memory_id: event.memoryId,
    recorded_at: event.recordedAt,
    times_seen: event.timesSeen,
    place: event.place,
    ...(event.recordedBy !== undefined && { recorded_by: event.recordedBy }),
    ...(event.decisions !== undefined && { decided: toDecided(event.decisions) }),
  })}\n`
}
