import type { Rate } from '../../config/serving.js'

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
 * Token buckets by name. At most `most` are kept, so that memory is bounded whatever names are sent: the oldest is
 * forgotten first, and its owner has a full one again.
 */
export class TokenBuckets {
  readonly #rate: Rate
  readonly #now: () => number
  readonly #most: number
  readonly #buckets = new Map<string, Bucket>()

  /** `now` is in milliseconds and never goes back. */
  constructor(rate: Rate, now: () => number, most = 10_000) {
    this.#rate = rate
    this.#now = now
    this.#most = most
  }

  get size(): number {
    return this.#buckets.size
  }

  take(name: string): Taken {
    const { quota, windowSeconds } = this.#rate
    const perMs = quota / (windowSeconds * 1000)
    const now = this.#now()
    const bucket = this.#buckets.get(name) ?? this.#add(name, now)
    bucket.tokens = Math.min(quota, bucket.tokens + (now - bucket.filledAt) * perMs)
    bucket.filledAt = now
    const admitted = bucket.tokens >= 1
    if (admitted) bucket.tokens -= 1
    const remaining = Math.floor(bucket.tokens)
    const seconds = Math.max(1, Math.ceil((remaining + 1 - bucket.tokens) / perMs / 1000))
    return { admitted, remaining, seconds }
  }

  #add(name: string, now: number): Bucket {
    if (this.#buckets.size >= this.#most)
      for (const first of this.#buckets.keys()) {
        this.#buckets.delete(first)
        break
      }
    const bucket = { tokens: this.#rate.quota, filledAt: now }
    this.#buckets.set(name, bucket)
    return bucket
  }
}
