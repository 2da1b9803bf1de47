import type { ServerResponse } from 'node:http'
import { HttpFailure } from '../problems/problems.js'
import { overloaded } from './places.js'
import { ROOT_KEY } from './rate-limits.js'

const MIB = 1024 * 1024

export interface BodyLimits {
  /** Of one key, in bytes; the root secret has no share. */
  readonly ofKey: number
  readonly ofAll: number
}

const BODY_LIMITS: BodyLimits = { ofKey: 128 * MIB, ofAll: 512 * MIB }

/** The bodies that have come, or are coming, of requests whose answers are not over: all together, and by key. */
export class BodyBytes {
  readonly #limits: BodyLimits
  readonly #byKey = new Map<string, number>()
  #all = 0

  constructor(limits = BODY_LIMITS) {
    this.#limits = limits
  }

  /** Counts what comes of a body until its answer is over. 429 when the key has its share already, 503 when all have. */
  counting(res: ServerResponse, keyId: string): (bytes: number) => void {
    let counted = 0
    const change = (by: number) => {
      counted += by
      this.#all += by
      const own = (this.#byKey.get(keyId) ?? 0) + by
      if (own === 0) this.#byKey.delete(keyId)
      else this.#byKey.set(keyId, own)
      return own
    }
    res.once('close', () => change(-counted))
    return (bytes) => {
      if (res.destroyed) return
      const hasItsShare = change(bytes) > this.#limits.ofKey && keyId !== ROOT_KEY
      if (!hasItsShare && this.#all <= this.#limits.ofAll) return
      // The answer is over only when its client is, which may take its time.
      change(-counted)
      throw hasItsShare ? this.#tooMuch() : overloaded()
    }
  }

  #tooMuch(): HttpFailure {
    const most = Math.floor(this.#limits.ofKey / MIB)
    const detail = `This key has bodies of ${most} MiB under way, which is the most. Wait for their answers.`
    return new HttpFailure('too_many_requests', detail, { headers: { 'Retry-After': '1' } })
  }
}
