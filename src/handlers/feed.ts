import type { PastEvent } from '../domain/events/recording.js'
import { Failure } from '../domain/failure.js'
import type { GraphId, MemoryId } from '../domain/model.js'
import { encodeEvent } from '../domain/transfer/encode.js'
import type { Following, Store } from '../store/store.js'

export const HEARTBEAT_MS = 15_000

interface Feed {
  readonly graphId: GraphId
  readonly following: Following
  /** The feed begins after this place in the log. */
  readonly after: number
  readonly heartbeatMs: number
  /** Removes what the follower may not see. */
  readonly redact: (event: PastEvent) => PastEvent
}

/** The text of a feed, read a batch of events at a time. `return` ends it, even while it waits for events. */
export function feedOf(store: Pick<Store, 'statements'>, feed: Feed): AsyncIterableIterator<string> {
  const pieces = piecesOf(store, feed)
  return {
    next: () => pieces.next(),
    return() {
      // Wakes the generator if it waits for news: `return` alone would wait until it yields.
      feed.following.close()
      return pieces.return(undefined)
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}

async function* piecesOf(
  store: Pick<Store, 'statements'>,
  { graphId, following, after, heartbeatMs, redact }: Feed,
): AsyncGenerator<string, undefined> {
  let place = after
  try {
    while (!following.isOver) {
      for await (const events of store.statements(graphId, place)) {
        yield events.map((event) => statementEvent(redact(event))).join('')
        place = events.at(-1)?.place ?? place
        // The batch was read before the erasure: read the statements again.
        if (following.hasErased || following.isOver) break
      }
      const { erased, isChanged, isOver } = await following.news(heartbeatMs)
      const sent = erased.filter((statement) => statement.place <= place)
      if (sent.length > 0) yield sent.map(erasedEvent).join('')
      else if (!isChanged && !isOver && erased.length === 0) yield HEARTBEAT
    }
  } catch (error) {
    // The graph was deleted, or the store was closed, during a read: the feed ends.
    if (!following.isOver && !isGone(error)) throw error
  } finally {
    following.close()
  }
  return undefined
}

function isGone(error: unknown): boolean {
  return error instanceof Failure && error.code === 'graph_not_found'
}

/** Throws if `after` is beyond the end of the graph: the follower has seen another graph of this name. */
export function checkReached(after: number, { lastPlace }: Following, path: string): void {
  if (after <= lastPlace) return
  const message = `must be at most ${lastPlace}, the last place of the graph; was the graph deleted and made anew?`
  throw new Failure('unknown_place', `${path} ${message}`, { errors: [{ path, message }] })
}

/** Server-sent events: each ends with an empty line, and a line of JSON holds no line feed. */

function statementEvent(event: PastEvent): string {
  return `id: ${event.place}\nevent: statement\ndata: ${encodeEvent(event)}\n`
}

/** Without an id, so that a follower resumes after the last statement that it had. */
function erasedEvent(erased: { readonly place: number; readonly memoryId: MemoryId }): string {
  const data = JSON.stringify({ place: erased.place, memory_id: erased.memoryId })
  return `event: erased\ndata: ${data}\n\n`
}

/** A comment, which readers pass over. */
const HEARTBEAT = ':\n\n'
