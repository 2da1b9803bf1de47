import type { Rate } from '../../config/serving.js'
import { Lru } from '../../domain/lru.js'

/** The state of a bucket after an attempt to take a token; `admitted` says whether there was one. */
interface Taken {
  readonly admitted: boolean
  readonly remaining: number
  /** Whole seconds until the next token. */
  readonly seconds: number
}

interface Bucket {
  tokens: number
  filledAt: number
}

/**
 * Token buckets by name. Above `maxBuckets` the least recently used is dropped; its owner gets a full one.
 */
export class TokenBuckets {
  readonly #rate: Rate
  readonly #now: () => number
  readonly #buckets: Lru<string, Bucket>

  /** `now` is in milliseconds and never goes back. */
  constructor(rate: Rate, now: () => number, maxBuckets = 10_000) {
    this.#rate = rate
    this.#now = now
    this.#buckets = new Lru(maxBuckets)
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
