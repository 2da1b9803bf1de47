import type { ServerResponse } from 'node:http'
import { ROOT_KEY } from '../../domain/keys.js'
import { overloaded, tooMany } from './refusals.js'
import { Tally } from './tally.js'

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
  readonly #byKey = new Tally()
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
      this.#byKey.add(keyId, by)
    }
    res.once('close', () => change(-counted))
    return (bytes) => {
      if (res.destroyed) return
      change(bytes)
      const hasItsShare = this.#byKey.of(keyId) > this.#limits.ofKey && keyId !== ROOT_KEY
      if (!hasItsShare && this.#all <= this.#limits.ofAll) return
      // The answer is over only when its client is, which may take its time.
      change(-counted)
      const most = Math.floor(this.#limits.ofKey / MIB)
      throw hasItsShare ? tooMany(`This key has bodies of ${most} MiB under way`) : overloaded()
    }
  }
}
