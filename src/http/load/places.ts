import type { ServerResponse } from 'node:http'
import type { Principal } from '../../contract/operations.js'
import { ROOT_KEY } from '../../domain/keys.js'
import type { Place } from '../pipeline/exchange.js'
import type { HttpFailure } from '../problems/problems.js'
import { overloaded, tooMany } from './refusals.js'
import { Tally } from './tally.js'

/** Of all places, how many one key may have requests in, those that wait for their client included. */
const SHARE_OF_A_KEY = 0.25
/** Of all places, how many are for the root secret alone: its owner has to get in to revoke the others. */
const SHARE_KEPT_FOR_ROOT = 0.1
/** How often to look for answers that only wait for their client, when there is no more room. */
const SWEEP_MS = 5
/** How many feeds a key, or the root secret, may follow at once. */
const MOST_FOLLOWED = 100

/**
 * The requests under way: all together, and by key. A request that waits for its client, to send or to read the next
 * piece of a stream, takes no place meanwhile, so that slow clients keep nobody out; but it counts for its key, which
 * bounds how many of them there can be.
 */
export class Places {
  readonly #most: number
  readonly #ofKey: number
  readonly #ofKeys: number
  readonly #byAnswer = new Map<ServerResponse, Taken>()
  /** A key has one secret, which the door knows before anybody knows the key. */
  readonly #bySecret = new Tally()
  readonly #following = new Tally()
  #taken = 0
  #sweptAt = Number.NEGATIVE_INFINITY

  constructor(most: number) {
    this.#most = most
    this.#ofKey = Math.ceil(most * SHARE_OF_A_KEY)
    this.#ofKeys = most - Math.floor(most * SHARE_KEPT_FOR_ROOT)
  }

  get taken(): number {
    return this.#taken
  }

  get isFull(): boolean {
    return this.#isAbove(this.#most - 1)
  }

  /** Takes a place until the answer is over, for who says that it has this secret. */
  take(res: ServerResponse, secret: string): void {
    const place = new Taken(secret, (change) => {
      this.#taken += change
    })
    this.#byAnswer.set(res, place)
    res.once('close', () => {
      this.#byAnswer.delete(res)
      place.leave()
      if (place.isClaimed) this.#bySecret.add(secret, -1)
    })
  }

  /** 429 for a secret whose key has its share already, before anything else is done for the request. */
  refusalOf(secret: string): HttpFailure | undefined {
    if (this.#bySecret.of(secret) < this.#ofKey) return undefined
    return tooMany(`has ${this.#ofKey} requests under way`)
  }

  /** Says whose request it is, once that is known. 429 when the key has its share already, 503 when only root's are left. */
  claim(res: ServerResponse, { keyId }: Principal): Place | undefined {
    const place = this.#byAnswer.get(res)
    if (place === undefined || keyId === ROOT_KEY) return place
    const refusal = this.refusalOf(place.secret) ?? (this.#isAbove(this.#ofKeys) ? overloaded() : undefined)
    if (refusal !== undefined) {
      // The answer is over only when its client is, which may take its time.
      place.leave()
      throw refusal
    }
    // The client may have gone while its secret was looked up, and then nothing would take the count back.
    if (res.destroyed) return place
    place.isClaimed = true
    this.#bySecret.add(place.secret, 1)
    return place
  }

  /** Counts an answer that goes on for as long as somebody listens. 429 when the key has as many as it may. */
  follow(res: ServerResponse, { keyId }: Principal): void {
    if (this.#following.of(keyId) >= MOST_FOLLOWED)
      throw tooMany(`follows ${MOST_FOLLOWED} times at once`, 'End one of them first.')
    if (res.destroyed) return
    this.#following.add(keyId, 1)
    res.once('close', () => this.#following.add(keyId, -1))
  }

  /** Looks first for answers that are ready and wait for their client, who may take its time. */
  #isAbove(taken: number): boolean {
    if (this.#taken <= taken) return false
    const now = performance.now()
    if (now - this.#sweptAt > SWEEP_MS) {
      this.#sweptAt = now
      for (const [res, place] of this.#byAnswer) if (res.writableEnded) place.leave()
    }
    return this.#taken > taken
  }
}

class Taken implements Place {
  readonly secret: string
  isClaimed = false
  readonly #change: (by: 1 | -1) => void
  #here = true
  #left = false

  constructor(secret: string, change: (by: 1 | -1) => void) {
    this.secret = secret
    this.#change = change
    change(1)
  }

  pause(): void {
    if (this.#here) this.#change(-1)
    this.#here = false
  }

  resume(): void {
    if (this.#here || this.#left) return
    this.#here = true
    this.#change(1)
  }

  leave(): void {
    this.pause()
    this.#left = true
  }
}
