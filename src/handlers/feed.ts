import type { PastEvent } from '../domain/events/recording.js'
import { Failure } from '../domain/failure.js'
import type { GraphId } from '../domain/model.js'
import { erasedEvent, HEARTBEAT, statementEvent } from '../domain/transfer/feed.js'
import type { Following, Store } from '../store/store.js'

export const HEARTBEAT_MS = 15_000

interface Feed {
  readonly graphId: GraphId
  readonly following: Following
  /** The place to begin after. */
  readonly after: number
  readonly heartbeatMs: number
  /** The event as the follower may see it. */
  readonly shown: (event: PastEvent) => PastEvent
}

/** The text of a feed, some events at a time and no sooner than they are taken. It ends with `return` at any time. */
export function feedOf(store: Pick<Store, 'statements'>, feed: Feed): AsyncIterableIterator<string> {
  const pieces = piecesOf(store, feed)
  return {
    next: () => pieces.next(),
    return() {
      // Wakes the generator if it waits for news; it would take no notice before.
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
  { graphId, following, after, heartbeatMs, shown }: Feed,
): AsyncGenerator<string, undefined> {
  let place = after
  try {
    while (!following.isOver) {
      for await (const events of store.statements(graphId, place)) {
        yield events.map((event) => statementEvent(shown(event))).join('')
        place = events.at(-1)?.place ?? place
        // What was read before the erasure is out of date.
        if (following.hasErased || following.isOver) break
      }
      const { erased, isChanged, isOver } = await following.news(heartbeatMs)
      const known = erased.filter((statement) => statement.place <= place)
      if (known.length > 0) yield known.map(erasedEvent).join('')
      else if (!isChanged && !isOver && erased.length === 0) yield HEARTBEAT
    }
  } catch (error) {
    // It was deleted, or the store was closed, while it was read.
    if (!following.isOver && !isGone(error)) throw error
  } finally {
    following.close()
  }
  return undefined
}

function isGone(error: unknown): boolean {
  return error instanceof Failure && error.code === 'graph_not_found'
}

/** Refuses to begin after a place that the graph has not reached: it is not the graph that the follower knew. */
export function refuseUnreached(after: number, { lastPlace }: Following, path: string): void {
  if (after <= lastPlace) return
  const message = `must be at most ${lastPlace}, the last place of the graph; was the graph deleted and made anew?`
  throw new Failure('unknown_place', `${path} ${message}`, { errors: [{ path, message }] })
}
