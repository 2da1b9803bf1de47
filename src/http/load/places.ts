import type { ServerResponse } from 'node:http'
import type { Principal } from '../../contract/operations.js'
import { ROOT_KEY } from '../../domain/keys.js'
import type { Place } from '../pipeline/exchange.js'
import type { HttpFailure } from '../problems/problems.js'
import { isOfAddress } from './lanes.js'
import { overloaded, tooMany } from './refusals.js'
import { Tally } from './tally.js'

/**
 * Of all places, how many one key may have requests in, those that wait for their client included; and how many there may
 * be from one address before their keys are known.
 */
const SHARE_OF_A_LANE = 0.25
/** Of all places, how many are for the root secret alone: its owner has to get in to revoke the others. */
const SHARE_KEPT_FOR_ROOT = 0.1
/** How often to look for answers that only wait for their client, when there is no more room. */
const SWEEP_MS = 5
/** How many feeds a key, or the root secret, may follow at once. */
const MOST_FOLLOWED = 100

/**
 * The requests under way: all together, and by lane (lanes.ts). A request that waits for its client, to send or to read the next
 * piece of a stream, takes no place meanwhile, so that slow clients keep nobody out; but it counts for its lane, which
 * bounds how many of them there can be.
 */
export class Places {
  readonly #most: number
  readonly #ofLane: number
  readonly #byAnswer = new Map<ServerResponse, Taken>()
  readonly #byLane = new Tally()
  readonly #following = new Tally()
  #taken = 0
  #sweptAt = Number.NEGATIVE_INFINITY

  constructor(most: number) {
    this.#most = most
    this.#ofLane = Math.ceil(most * SHARE_OF_A_LANE)
  }

  get taken(): number {
    return this.#taken
  }

  /** How many places there are for a lane and all others. */
  openTo(lane: string): number {
    return lane === ROOT_KEY ? this.#most : this.#most - Math.floor(this.#most * SHARE_KEPT_FOR_ROOT)
  }

  /** Takes a place until the answer is over. */
  take(res: ServerResponse, lane: string): void {
    const place = new Taken(lane, (change) => {
      this.#taken += change
    })
    this.#byAnswer.set(res, place)
    this.#byLane.add(lane, 1)
    res.once('close', () => {
      this.#byAnswer.delete(res)
      place.leave()
      this.#byLane.add(place.lane, -1)
    })
  }

  /** 429 when the lane has its share already, 503 when no place is open to it. */
  refusalOf(lane: string): HttpFailure | undefined {
    return this.#refusalOfShare(lane) ?? (this.#isAbove(this.openTo(lane) - 1) ? overloaded() : undefined)
  }

  /** Says whose request it is, once that is known. 429 when the key has its share already. */
  claim(res: ServerResponse, { keyId }: Principal): Place | undefined {
    const place = this.#byAnswer.get(res)
    if (place === undefined || place.lane === keyId) return place
    const refusal = this.#refusalOfShare(keyId)
    if (refusal !== undefined) {
      // The answer is over only when its client is, which may take its time.
      place.leave()
      throw refusal
    }
    this.#byLane.add(place.lane, -1)
    this.#byLane.add(keyId, 1)
    place.lane = keyId
    return place
  }

  #refusalOfShare(lane: string): HttpFailure | undefined {
    if (lane === ROOT_KEY || this.#byLane.of(lane) < this.#ofLane) return undefined
    return tooMany(
      isOfAddress(lane)
        ? `${this.#ofLane} requests without a known secret are under way from this address`
        : `This key has ${this.#ofLane} requests under way`,
    )
  }

  /** Counts an answer that goes on for as long as somebody listens. 429 when the key has as many as it may. */
  follow(res: ServerResponse, { keyId }: Principal): void {
    if (this.#following.of(keyId) >= MOST_FOLLOWED)
      throw tooMany(`This key follows ${MOST_FOLLOWED} times at once`, 'End one of them first.')
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
  lane: string
  readonly #change: (by: 1 | -1) => void
  #here = true
  #left = false

  constructor(lane: string, change: (by: 1 | -1) => void) {
    this.lane = lane
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
