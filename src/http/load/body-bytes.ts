import type { ServerResponse } from 'node:http'
import { ROOT_KEY } from '../../domain/keys.js'
import { overloaded, tooMany } from './slots.js'
import { Tally } from './tally.js'

const MIB = 1024 * 1024

export interface BodyLimits {
  /** For the bodies of one key in memory. Does not apply to the root secret. */
  readonly ofKey: number
  /** For the bodies of all keys together. */
  readonly ofAll: number
}

const BODY_LIMITS: BodyLimits = { ofKey: 128 * MIB, ofAll: 512 * MIB }

/** Limits the memory for request bodies, in total and per key. A body counts until its answer is closed. */
export class BodyBytes {
  readonly #limits: BodyLimits
  readonly #byKey = new Tally()
  #all = 0

  constructor(limits = BODY_LIMITS) {
    this.#limits = limits
  }

  /**
   * Returns a counter of received bytes. It throws 429 above the limit of the key, 503 above the total limit.
   */
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
      const isKeyAbove = this.#byKey.of(keyId) > this.#limits.ofKey && keyId !== ROOT_KEY
      if (!isKeyAbove && this.#all <= this.#limits.ofAll) return
      // The answer closes only when the client has read it, which may take long.
      change(-counted)
      const mebibytes = Math.floor(this.#limits.ofKey / MIB)
      throw isKeyAbove ? tooMany(`This key has bodies of ${mebibytes} MiB under way`) : overloaded()
    }
  }
}
