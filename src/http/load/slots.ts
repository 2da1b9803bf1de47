import type { ServerResponse } from 'node:http'
import type { Principal } from '../../contract/operations.js'
import { ROOT_KEY } from '../../domain/keys.js'
import type { Slot } from '../pipeline/exchange.js'
import { HttpFailure } from '../problems/problems.js'
import { isOfAddress } from './lanes.js'
import { Tally } from './tally.js'

/** Share of all slots that one lane may use. Requests that wait for their client count as well. */
const LANE_SHARE = 0.25
/** Share reserved for the root secret, so that its owner can still revoke keys under load. */
const ROOT_SHARE = 0.1
/** Minimum time between two scans for finished answers; they run only when no slot is free. */
const SWEEP_MS = 5
/** Feeds that one key, or the root secret, may have open at once. */
const MAX_OPEN_FEEDS = 100

/**
 * Limits the number of requests under way: in total, and for each lane (lanes.ts). A request that waits for
 * its client to send or read part of a stream uses no slot meanwhile, so that slow clients block nobody. It
 * still counts towards the limit of its lane, which bounds the number of slow clients.
 */
export class RequestSlots {
  readonly #limit: number
  readonly #laneLimit: number
  readonly #slots = new Map<ServerResponse, LaneSlot>()
  readonly #byLane = new Tally()
  readonly #openFeeds = new Tally()
  #used = 0
  #sweptAt = Number.NEGATIVE_INFINITY

  constructor(limit: number) {
    this.#limit = limit
    this.#laneLimit = Math.ceil(limit * LANE_SHARE)
  }

  get used(): number {
    return this.#used
  }

  /** Number of slots that a lane and all others may use together. */
  limitFor(lane: string): number {
    return lane === ROOT_KEY ? this.#limit : this.#limit - Math.floor(this.#limit * ROOT_SHARE)
  }

  /** Takes a slot until the connection of the answer is closed. */
  take(res: ServerResponse, lane: string): void {
    const slot = new LaneSlot(lane, (change) => {
      this.#used += change
    })
    this.#slots.set(res, slot)
    this.#byLane.add(lane, 1)
    res.once('close', () => {
      this.#slots.delete(res)
      slot.release()
      this.#byLane.add(slot.lane, -1)
    })
  }

  /** 429 when the lane has reached its limit, 503 when all slots open to it are used. */
  refusalOf(lane: string): HttpFailure | undefined {
    return this.#laneRefusal(lane) ?? (this.#isUsedAbove(this.limitFor(lane) - 1) ? overloaded() : undefined)
  }

  /** Moves a request to the lane of its key when the secret is verified. Throws 429 if that lane is full. */
  claim(res: ServerResponse, { keyId }: Principal): Slot | undefined {
    const slot = this.#slots.get(res)
    if (slot === undefined || slot.lane === keyId) return slot
    const refusal = this.#laneRefusal(keyId)
    if (refusal !== undefined) {
      // The answer closes only when the client has read it, which may take long.
      slot.release()
      throw refusal
    }
    this.#byLane.add(slot.lane, -1)
    this.#byLane.add(keyId, 1)
    slot.lane = keyId
    return slot
  }

  #laneRefusal(lane: string): HttpFailure | undefined {
    if (lane === ROOT_KEY || this.#byLane.of(lane) < this.#laneLimit) return undefined
    return tooMany(
      isOfAddress(lane)
        ? `${this.#laneLimit} requests without a known secret are under way from this address`
        : `This key has ${this.#laneLimit} requests under way`,
    )
  }

  /** Counts an open feed until its answer closes. Throws 429 when the key has too many. */
  openFeed(res: ServerResponse, { keyId }: Principal): void {
    if (this.#openFeeds.of(keyId) >= MAX_OPEN_FEEDS)
      throw tooMany(`This key follows ${MAX_OPEN_FEEDS} times at once`, 'End one of them first.')
    if (res.destroyed) return
    this.#openFeeds.add(keyId, 1)
    res.once('close', () => this.#openFeeds.add(keyId, -1))
  }

  /** First releases the slots of finished answers that only wait for their client to read them. */
  #isUsedAbove(count: number): boolean {
    if (this.#used <= count) return false
    const now = performance.now()
    if (now - this.#sweptAt > SWEEP_MS) {
      this.#sweptAt = now
      for (const [res, slot] of this.#slots) if (res.writableEnded) slot.release()
    }
    return this.#used > count
  }
}

class LaneSlot implements Slot {
  lane: string
  readonly #change: (by: 1 | -1) => void
  #isUsed = true
  #isReleased = false

  constructor(lane: string, change: (by: 1 | -1) => void) {
    this.lane = lane
    this.#change = change
    change(1)
  }

  pause(): void {
    if (this.#isUsed) this.#change(-1)
    this.#isUsed = false
  }

  resume(): void {
    if (this.#isUsed || this.#isReleased) return
    this.#isUsed = true
    this.#change(1)
  }

  release(): void {
    this.pause()
    this.#isReleased = true
  }
}

const SOON = { headers: { 'Retry-After': '1' } }

/** 503 for a limit of the whole service. */
export function overloaded(): HttpFailure {
  return new HttpFailure('overloaded', 'The service is overloaded. Try again in a second.', SOON)
}

/** 429 for a limit of one key, or of one address that sends unknown secrets. */
export function tooMany(what: string, advice = 'Wait for their answers.'): HttpFailure {
  return new HttpFailure('too_many_requests', `${what}, which is the most. ${advice}`, SOON)
}
