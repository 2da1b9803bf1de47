import type { Logger } from '../../store/logger.js'
import { WAITS_FOR } from '../../store/meaning.js'
import type { Store } from '../../store/store.js'

export interface Backlog {
  /** Number of memories of all graphs left to embed, when the store was last asked. */
  readonly unread: number
  stop(): void
}

/** How often the store is asked, and how often the backlog is logged. */
const INTERVALS = { askMs: 10_000, sayMs: 30_000 }

/** Polls the number of memories left to embed, and logs it while it is too high for questions to wait. */
export function watchBacklog(
  store: Pick<Store, 'unread'>,
  log: Logger,
  { askMs, sayMs } = INTERVALS,
): Backlog {
  let unread = 0
  let asking = false
  let saidAt = Number.NEGATIVE_INFINITY
  const ask = async () => {
    if (asking) return
    asking = true
    try {
      unread = total(await store.unread())
      if (unread <= WAITS_FOR.question || performance.now() - saidAt < sayMs) return
      saidAt = performance.now()
      log.info({ unread }, `Reading for meaning: ${unread.toLocaleString('en')} memories left.`)
    } catch {
      // The requests that fail log the reason; the last number stays until the store answers again.
    } finally {
      asking = false
    }
  }
  void ask()
  const timer = setInterval(ask, askMs).unref()
  return {
    get unread() {
      return unread
    },
    stop: () => clearInterval(timer),
  }
}

function total(counts: ReadonlyMap<unknown, number>): number {
  let sum = 0
  for (const count of counts.values()) sum += count
  return sum
}
