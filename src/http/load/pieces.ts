import { setTimeout as sleep } from 'node:timers/promises'
import { FewAtOnce } from './few-at-once.js'

/** How many pieces of its streams a key has made at once: each takes several turns, and there may be hundreds of streams. */
const PIECES_OF_A_KEY = 1
/** While others ask, a key of whose streams many wait rests so many times as long as its piece took. */
const MOST_RESTS = 9
const LONGEST_REST_MS = 500
/** Others ask if one of them came no longer ago. */
const LATELY_MS = 1_000

/**
 * The pieces of the streams of each key, one after the other. A thousand pieces that nobody reads cost as much as those
 * that are read: so while others ask, the streams of a key together take the smaller a share of the loop the more of them
 * there are. One stream alone never rests.
 */
export class Pieces {
  readonly #underWay = new FewAtOnce(PIECES_OF_A_KEY)
  readonly #rests = new Map<string, Promise<void>>()
  #latest = { key: '', at: Number.NEGATIVE_INFINITY }
  /** When the latest came that was of another key than that one. */
  #latestOfAnother = Number.NEGATIVE_INFINITY

  /** To be called for every request. */
  asked(key: string): void {
    if (key !== this.#latest.key) this.#latestOfAnother = this.#latest.at
    this.#latest = { key, at: performance.now() }
  }

  /** Makes a piece, when no other of the key is being made, the key has rested and `turn` has come. */
  run<T>(key: string, turn: () => Promise<void>, make: () => Promise<T>): Promise<T> {
    return this.#underWay.run(key, async () => {
      await this.#rests.get(key)
      await turn()
      const began = performance.now()
      try {
        return await make()
      } finally {
        const times = Math.min(this.#underWay.waitingOf(key), MOST_RESTS)
        if (times > 0 && this.#doOthersAsk(key)) this.#rest(key, times * (performance.now() - began))
      }
    })
  }

  #rest(key: string, ms: number): void {
    const rest = sleep(Math.min(ms, LONGEST_REST_MS), undefined, { ref: false })
    this.#rests.set(
      key,
      rest.finally(() => this.#rests.delete(key)),
    )
  }

  #doOthersAsk(key: string): boolean {
    const { key: latest, at } = this.#latest
    return performance.now() - (latest === key ? this.#latestOfAnother : at) <= LATELY_MS
  }
}
