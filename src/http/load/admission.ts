/**
 * Admission control: a queue for each secret, with a time budget for each turn of the event loop, which refuses by
 * expected wait.
 *
 * Node works off every request that has arrived before it looks at its sockets again, so that under overload all of them
 * wait ever longer and none can be refused in time. Here a turn serves for `turnMs` and leaves the rest in the queue.
 * A bounded queue alone would not do: the same length is a millisecond of cheap reads or a minute of dear ones. So a
 * request is refused when the length of its queue, times the number of queues, times the mean cost of a request is more
 * than `waitMs`, counting what has been begun and waits for its handler. That cost is of the past; to spare a burst of cheap requests after dear ones, the queue must also be
 * congested (as in CoDel, what counts is how long its head has waited, not how long it is). `underWay` bounds memory when
 * requests wait for something other than the processor; see places.ts.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { AcceptBurst } from './accept-burst.js'
import { FairQueue } from './fair-queue.js'
import { LoopBudget } from './loop-budget.js'
import { keyOf, type LoopTurns } from './loop-turns.js'
import type { Places } from './places.js'

export interface AdmissionLimits {
  /** How long a turn of the event loop may serve requests: far below what a probe would notice. */
  readonly turnMs: number
  /** The longest wait to expect in the queue: clients that wait longer tend to try again, which adds to the load. */
  readonly waitMs: number
  /** The most requests in the queue or being answered, but for those that wait for their client. */
  readonly underWay: number
}

export const ADMISSION_LIMITS: AdmissionLimits = { turnMs: 5, waitMs: 1_000, underWay: 2_000 }

interface Admission {
  readonly listener: RequestListener
  /** Requests in the queue. */
  waiting(): number
}

/** More than a turn can serve, as a rule: what a request costs is known only when the next immediate runs. */
const IMMEDIATES_PER_TURN = 16
/** The queue is congested when its head has waited this fraction of `waitMs`. */
const CONGESTED_SHARE = 0.1

interface Waiting {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly since: number
}

/** `exempt` requests, the probes, are served whatever happens. */
export function admission(
  serve: RequestListener,
  refuse: RequestListener,
  exempt: (req: IncomingMessage) => boolean,
  { turnMs, waitMs }: AdmissionLimits,
  places: Places,
  burst: AcceptBurst,
  turns: LoopTurns,
): Admission {
  const queue = new FairQueue<Waiting>()
  const budget = new LoopBudget()
  let armed = 0

  const begin = (req: IncomingMessage, res: ServerResponse) => {
    budget.begin()
    serve(req, res)
  }
  const arm = () => {
    armed = Math.min(queue.length, IMMEDIATES_PER_TURN)
    for (let i = 0; i < armed; i++) setImmediate(serveNext)
  }
  const serveNext = () => {
    armed--
    const next = budget.spent() > turnMs || burst.isOn() ? undefined : queue.shift()
    // A client that has gone needs no answer.
    if (next !== undefined && !next.res.destroyed) begin(next.req, next.res)
    if (armed === 0 && queue.length > 0) arm()
  }

  const isTooLong = (key: string) => {
    const now = performance.now()
    const own = queue.of(key)
    const later = turns.expected(key)
    const since = Math.min(own[0]?.since ?? now, later.since ?? now)
    return own.length * queue.keys * budget.cost + later.ms > waitMs && now - since > waitMs * CONGESTED_SHARE
  }

  return {
    waiting: () => queue.length,
    listener(req, res) {
      if (exempt(req)) return serve(req, res)
      const key = keyOf(req)
      if (isTooLong(key) || places.isFull) return refuse(req, res)
      places.take(res)
      if (queue.length === 0 && budget.spent() <= turnMs && !burst.isOn()) return begin(req, res)
      queue.push(key, { req, res, since: performance.now() })
      if (armed === 0) arm()
    },
  }
}
