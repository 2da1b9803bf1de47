import type { Rate } from '../../config/serving.js'
import { Lru } from '../../domain/lru.js'

/** The bucket after a token was taken; `admitted` says whether there was one. */
interface Taken {
  readonly admitted: boolean
  readonly remaining: number
  /** Whole seconds until there is one more. */
  readonly seconds: number
}

interface Bucket {
  tokens: number
  filledAt: number
}

/**
 * Token buckets by name, of which at most `most` are kept. The least recently used one is dropped first, and its owner has
 * a full one again.
 */
export class TokenBuckets {
  readonly #rate: Rate
  readonly #now: () => number
  readonly #buckets: Lru<string, Bucket>

  /** `now` is in milliseconds and never goes back. */
  constructor(rate: Rate, now: () => number, most = 10_000) {
    this.#rate = rate
    this.#now = now
    this.#buckets = new Lru(most)
  }

  get size(): number {
    return this.#buckets.size
  }

  take(name: string): Taken {
    const { quota, windowSeconds } = this.#rate
    const perMs = quota / (windowSeconds * 1000)
    const now = this.#now()
    const bucket = this.#buckets.get(name) ?? { tokens: quota, filledAt: now }
    this.#buckets.set(name, bucket)
    bucket.tokens = Math.min(quota, bucket.tokens + (now - bucket.filledAt) * perMs)
    bucket.filledAt = now
    const admitted = bucket.tokens >= 1
    if (admitted) bucket.tokens -= 1
    const remaining = Math.floor(bucket.tokens)
    const seconds = Math.max(1, Math.ceil((remaining + 1 - bucket.tokens) / perMs / 1000))
    return { admitted, remaining, seconds }
  }
}
