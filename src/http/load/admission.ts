/**
 * Admission control: a FIFO queue with a time budget for each turn of the event loop, which refuses by expected wait.
 *
 * Node works off every request that has arrived before it looks at its sockets again, so that under overload all of them
 * wait ever longer and none can be refused in time. Here a turn serves for `turnMs` and leaves the rest in the queue.
 * A bounded queue alone would not do: the same length is a millisecond of cheap reads or a minute of dear ones. So a
 * request is refused when the length times the mean cost of a request is more than `waitMs`. That cost is of the past; to
 * spare a burst of cheap requests after dear ones, the queue must also be congested (as in CoDel, what counts is how long
 * its head has waited, not how long it is). `underWay` bounds memory when requests wait for something other than the
 * processor; see places.ts.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
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
  /** To be called for every new connection. */
  readonly connected: () => void
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
): Admission {
  const queue = new Queue<Waiting>()
  const budget = new LoopBudget()
  const burst = new AcceptBurst(turnMs)
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
    if (armed > 0) return
    burst.nextTurn()
    if (queue.length > 0) arm()
  }

  const isTooLong = () =>
    queue.length * budget.cost > waitMs &&
    performance.now() - (queue.head?.since ?? 0) > waitMs * CONGESTED_SHARE

  return {
    waiting: () => queue.length,
    connected: () => burst.accepted(),
    listener(req, res) {
      if (exempt(req)) return serve(req, res)
      if (isTooLong() || places.isFull) return refuse(req, res)
      places.take(res)
      if (queue.length === 0 && budget.spent() <= turnMs) return begin(req, res)
      queue.push({ req, res, since: performance.now() })
      if (armed === 0) arm()
    },
  }
}

/**
 * Node accepts one connection in a turn of the event loop. While new ones arrive, turns in which nothing is served accept
 * the others, for at most `most` milliseconds: a connection that is not accepted cannot be refused either.
 */
class AcceptBurst {
  readonly #most: number
  #accepted = false
  #since: number | undefined

  constructor(most: number) {
    this.#most = most
  }

  accepted(): void {
    this.#accepted = true
  }

  isOn(): boolean {
    if (this.#accepted) this.#since ??= performance.now()
    const on = this.#accepted && performance.now() - (this.#since ?? 0) <= this.#most
    if (!on) this.#since = undefined
    return on
  }

  nextTurn(): void {
    this.#accepted = false
  }
}

/** Of the newest turn in the moving average: it follows a change of load within some ten turns. */
const EWMA_WEIGHT = 0.1
/** A longer turn has other causes, such as a collection of garbage. */
const MOST_COST_MS = 100

/** The time spent on requests in the present turn of the event loop, and the mean cost of one (an EWMA). */
class LoopBudget {
  cost = 0
  #started = 0
  #begun = 0

  begin(): void {
    if (this.#begun++ > 0) return
    this.#started = performance.now()
    setImmediate(this.#end)
  }

  spent(): number {
    return this.#begun === 0 ? 0 : performance.now() - this.#started
  }

  readonly #end = (): void => {
    const each = Math.min(this.spent() / this.#begun, MOST_COST_MS)
    this.cost += EWMA_WEIGHT * (each - this.cost)
    this.#begun = 0
  }
}

/** First in, first out, each in constant time: two stacks. */
class Queue<T> {
  #in: T[] = []
  #out: T[] = []

  get length(): number {
    return this.#in.length + this.#out.length
  }

  get head(): T | undefined {
    return this.#out.at(-1) ?? this.#in[0]
  }

  push(item: T): void {
    this.#in.push(item)
  }

  shift(): T | undefined {
    if (this.#out.length === 0) {
      this.#out = this.#in.reverse()
      this.#in = []
    }
    return this.#out.pop()
  }
}
