/**
 * Admission control: a queue for each lane (lanes.ts), with a time budget for each turn of the event loop, which refuses by
 * expected wait.
 *
 * Node works off every request that has arrived before it looks at its sockets again, so that under overload all of them
 * wait ever longer and none can be refused in time. Here a turn serves for some milliseconds (loop-turns.ts) and leaves the
 * rest in the queue. A bounded queue alone would not do: the same length is a millisecond of cheap reads or a minute of
 * dear ones. So a request is refused when those of its lane that wait, at the door and behind it, would take longer than
 * `waitMs` at the pace at which they had their turn of late. That pace is of the past; to spare a burst of cheap requests after dear ones,
 * the queue must also be congested (as in CoDel, what counts is how long its head has waited, not how long it is).
 * `underWay` bounds memory when requests wait for something other than the processor; see places.ts.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { HttpFailure } from '../problems/problems.js'
import type { Loop } from './loop.js'
import type { Places } from './places.js'
import { overloaded } from './refusals.js'

export interface AdmissionLimits {
  /** The longest wait to expect in the queue: clients that wait longer tend to try again, which adds to the load. */
  readonly waitMs: number
  /** The most requests in the queue, and the most being answered, but for those that wait for their client. */
  readonly underWay: number
}

export const ADMISSION_LIMITS: AdmissionLimits = { waitMs: 1_000, underWay: 2_000 }

/** The queue is congested when its head has waited this fraction of `waitMs`. */
const CONGESTED_SHARE = 0.1

/** A lane is a crowd when so many of its requests wait for each that there is still room for (a dynamic threshold). */
const CROWD = 8

export type Refuse = (req: IncomingMessage, res: ServerResponse, failure: HttpFailure) => void

/** `exempt` requests, the probes, are served whatever happens. */
export function admission(
  serve: RequestListener,
  refuse: Refuse,
  exempt: (req: IncomingMessage) => boolean,
  { waitMs }: Pick<AdmissionLimits, 'waitMs'>,
  places: Places,
  loop: Loop,
  laneOf: (req: IncomingMessage) => string,
): RequestListener {
  const isTooLong = (lane: string) => {
    const { ms, since } = loop.expected(lane)
    return ms > waitMs && performance.now() - since > waitMs * CONGESTED_SHARE
  }
  const isCrowd = (lane: string) => {
    const own = loop.door.waitingOf(lane)
    return own > 0 && own >= CROWD * Math.max(places.openTo(lane) - loop.door.waiting, 0)
  }
  const begin = (req: IncomingMessage, res: ServerResponse, lane: string) => {
    const refusal = places.refusalOf(lane)
    if (refusal !== undefined) return refuse(req, res, refusal)
    places.take(res, lane)
    serve(req, res)
  }

  return (req, res) => {
    if (exempt(req)) return serve(req, res)
    const lane = laneOf(req)
    const refusal = isTooLong(lane) || isCrowd(lane) ? overloaded() : places.refusalOf(lane)
    if (refusal !== undefined) return refuse(req, res, refusal)
    const turn = loop.enter(lane)
    if (turn === undefined) return begin(req, res, lane)
    void turn.then(() => {
      // A client that has gone, or was answered since the service stops, needs no answer.
      if (!res.destroyed && !res.headersSent) begin(req, res, lane)
    })
  }
}
