import type { Logger } from '../../store/logger.js'
import { WAITS_FOR } from '../../store/meaning.js'
import type { Store } from '../../store/store.js'

export interface Backlog {
  /** How many memories of all graphs waited to be read when the store was last asked. */
  readonly unread: number
  stop(): void
}

/** How often the store is asked, and how often the log says what is left. */
const PACE = { askMs: 10_000, sayMs: 30_000 }

/** Asks a store at intervals how much is left to read for meaning, and logs it while questions no longer wait for it. */
export function watchBacklog(store: Pick<Store, 'unread'>, log: Logger, { askMs, sayMs } = PACE): Backlog {
  let unread = 0
  let asking = false
  let saidAt = Number.NEGATIVE_INFINITY
  const ask = async () => {
    // A store that is slow to answer is not asked once more meanwhile.
    if (asking) return
    asking = true
    try {
      unread = total(await store.unread())
      if (unread <= WAITS_FOR.question || performance.now() - saidAt < sayMs) return
      saidAt = performance.now()
      log.info({ unread }, `Reading for meaning: ${unread.toLocaleString('en')} memories left.`)
    } catch {
      // Why a store cannot answer is logged with the requests that it fails; the last figure stands until it can.
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
