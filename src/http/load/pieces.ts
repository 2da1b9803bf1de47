import { setTimeout as sleep } from 'node:timers/promises'
import { ConcurrencyLimit } from './concurrency-limit.js'

/** A piece takes several turns of the event loop, and a key may have hundreds of streams. */
const MAX_PIECES_PER_KEY = 1
/** The longest pause after a piece, as a multiple of the time that the piece took. */
const MAX_PAUSE_FACTOR = 9
const MAX_PAUSE_MS = 500
/** Other keys are active if one of them has sent a request within this time. */
const ACTIVE_MS = 1_000

/**
 * Produces the pieces of the streams of each key one at a time. While other keys are active, a key pauses
 * after each piece, longer the more of its streams wait, so that many open streams cannot take the event loop
 * from others. A key with a single stream never pauses.
 */
export class Pieces {
  readonly #running = new ConcurrencyLimit(MAX_PIECES_PER_KEY)
  readonly #pauses = new Map<string, Promise<void>>()
  #latest = { key: '', at: Number.NEGATIVE_INFINITY }
  /** Time of the latest request of any key but `#latest.key`. */
  #latestOfAnother = Number.NEGATIVE_INFINITY

  /** To be called for every request. */
  asked(key: string): void {
    if (key !== this.#latest.key) this.#latestOfAnother = this.#latest.at
    this.#latest = { key, at: performance.now() }
  }

  /** Calls `make` after the pause of the key and after `started`. */
  run<T>(key: string, started: () => Promise<void>, make: () => Promise<T>): Promise<T> {
    return this.#running.run(key, async () => {
      await this.#pauses.get(key)
      await started()
      const start = performance.now()
      try {
        return await make()
      } finally {
        const times = Math.min(this.#running.waitingOf(key), MAX_PAUSE_FACTOR)
        if (times > 0 && this.#areOthersActive(key)) this.#pause(key, times * (performance.now() - start))
      }
    })
  }

  #pause(key: string, ms: number): void {
    const pause = sleep(Math.min(ms, MAX_PAUSE_MS), undefined, { ref: false })
    this.#pauses.set(
      key,
      pause.finally(() => this.#pauses.delete(key)),
    )
  }

  #areOthersActive(key: string): boolean {
    const { key: latest, at } = this.#latest
    return performance.now() - (latest === key ? this.#latestOfAnother : at) <= ACTIVE_MS
  }
}
