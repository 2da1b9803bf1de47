/**
 * Admission control: requests wait in a fair queue (lanes.ts) and are refused if they would wait too long.
 *
 * Node handles every request that has arrived before it reads its sockets again. Under overload all requests
 * would wait longer and longer, and none could be refused in time. Here each turn of the event loop starts
 * requests for a few milliseconds (loop-queue.ts) and leaves the rest in the queue.
 *
 * A limit on the length of the queue is not enough: the same number of requests may take a millisecond or a
 * minute. A request is refused when its lane would take longer than `waitMs` at its recent rate. Since that
 * rate is out of date when cheap requests follow expensive ones, the oldest request of the lane must also
 * have waited for a while (as in CoDel). `underWay` bounds memory when requests wait for something other than
 * the processor; see slots.ts.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { HttpFailure } from '../problems/problems.js'
import type { Loop } from './loop.js'
import { overloaded, type RequestSlots } from './slots.js'

export interface AdmissionLimits {
  /** Maximum expected wait. Clients that wait longer tend to try again, which adds to the load. */
  readonly waitMs: number
  /** Maximum number of queued requests, and of requests being served (see slots.ts). */
  readonly underWay: number
}

export const ADMISSION_LIMITS: AdmissionLimits = { waitMs: 1_000, underWay: 2_000 }

/** A lane is congested when its oldest request has waited this fraction of `waitMs`. */
const CONGESTED_SHARE = 0.1

/** A lane is crowded when it has this many queued requests for each free slot (a dynamic threshold). */
const CROWD_FACTOR = 8

export type Refuse = (req: IncomingMessage, res: ServerResponse, failure: HttpFailure) => void

/** Requests that are `exempt`, such as probes, are always served at once. */
export function admission(
  serve: RequestListener,
  refuse: Refuse,
  exempt: (req: IncomingMessage) => boolean,
  { waitMs }: Pick<AdmissionLimits, 'waitMs'>,
  slots: RequestSlots,
  loop: Loop,
  laneOf: (req: IncomingMessage) => string,
): RequestListener {
  const isTooLong = (lane: string) => {
    const { ms, since } = loop.expected(lane)
    return ms > waitMs && performance.now() - since > waitMs * CONGESTED_SHARE
  }
  const isCrowd = (lane: string) => {
    const queued = loop.arrivals.waitingOf(lane)
    return queued > 0 && queued >= CROWD_FACTOR * Math.max(slots.limitFor(lane) - loop.arrivals.waiting, 0)
  }
  const begin = (req: IncomingMessage, res: ServerResponse, lane: string) => {
    const refusal = slots.refusalOf(lane)
    if (refusal !== undefined) return refuse(req, res, refusal)
    slots.take(res, lane)
    serve(req, res)
  }

  return (req, res) => {
    if (exempt(req)) return serve(req, res)
    const lane = laneOf(req)
    const refusal = isTooLong(lane) || isCrowd(lane) ? overloaded() : slots.refusalOf(lane)
    if (refusal !== undefined) return refuse(req, res, refusal)
    const started = loop.enter(lane)
    if (started === undefined) return begin(req, res, lane)
    void started.then(() => {
      // The client may have disconnected, or has been answered because the service is stopping.
      if (!res.destroyed && !res.headersSent) begin(req, res, lane)
    })
  }
}
