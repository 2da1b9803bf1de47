import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'

/** When a request is told to come back later. */
export interface AdmissionLimits {
  /** How long a turn of the event loop may be spent on requests before it looks who else is there. */
  readonly turnMs: number
  /** The longest that a request may be expected to wait before its turn comes. */
  readonly waitMs: number
  /** The most requests that are waiting or being answered. */
  readonly underWay: number
}

export const ADMISSION_LIMITS: AdmissionLimits = { turnMs: 5, waitMs: 1_000, underWay: 2_000 }

export interface Admission {
  readonly listener: RequestListener
  /** To be called for every new connection. */
  readonly connected: () => void
  /** Requests that wait for their turn. */
  waiting(): number
  /** Requests that wait or are being answered. */
  underWay(): number
}

/** Steps that are made ready for one turn: what a request costs is known only when the next one is reached. */
const STEPS = 16
/** A line stands when its first has waited for this share of the longest wait. */
const STANDING = 0.1

interface Waiting {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly since: number
}

/**
 * Keeps the service quick when more is asked of it than it can do. Node takes whatever has arrived and works on all of
 * it before it looks at its sockets again, so that under load everyone waits ever longer and nobody is told. Here a turn
 * of the event loop works for a few milliseconds; the rest stands in line, first come, first served, and what would have
 * to wait too long is refused at once, for a small part of what it would cost to answer it.
 *
 * `exempt` requests, the probes, are served whatever happens.
 */
export function admission(
  serve: RequestListener,
  refuse: RequestListener,
  exempt: (req: IncomingMessage) => boolean,
  { turnMs, waitMs, underWay: most }: AdmissionLimits = ADMISSION_LIMITS,
): Admission {
  const line = new Line<Waiting>()
  const turn = new Turn()
  const doorway = new Doorway(turnMs)
  let underWay = 0
  let armed = 0

  const begin = (req: IncomingMessage, res: ServerResponse) => {
    turn.begin()
    serve(req, res)
  }
  const arm = () => {
    armed = Math.min(line.length, STEPS)
    for (let i = 0; i < armed; i++) setImmediate(step)
  }
  const step = () => {
    armed--
    const next = turn.spent() > turnMs || doorway.isBusy() ? undefined : line.shift()
    // Whoever has gone meanwhile needs no answer.
    if (next !== undefined && !next.res.destroyed) begin(next.req, next.res)
    if (armed > 0) return
    doorway.nextTurn()
    if (line.length > 0) arm()
  }

  /** What requests cost is known from earlier ones: unless the line stands, too, it may be a burst of cheap ones. */
  const isTooLong = () =>
    line.length * turn.cost > waitMs && performance.now() - (line.first?.since ?? 0) > waitMs * STANDING

  return {
    waiting: () => line.length,
    underWay: () => underWay,
    connected: () => doorway.enter(),
    listener(req, res) {
      if (exempt(req)) return serve(req, res)
      if (isTooLong() || underWay >= most) return refuse(req, res)
      underWay++
      res.once('close', () => underWay--)
      if (line.length === 0 && turn.spent() <= turnMs) return begin(req, res)
      line.push({ req, res, since: performance.now() })
      if (armed === 0) arm()
    },
  }
}

/**
 * Node accepts one connection in a turn of the event loop. While there are new ones, turns in which nothing is served
 * let the others in, for as long as may be spent on serving: they would wait outside, where nobody can refuse them.
 */
class Doorway {
  readonly #most: number
  #entered = false
  #since: number | undefined

  constructor(most: number) {
    this.#most = most
  }

  enter(): void {
    this.#entered = true
  }

  isBusy(): boolean {
    if (this.#entered) this.#since ??= performance.now()
    const busy = this.#entered && performance.now() - (this.#since ?? 0) <= this.#most
    if (!busy) this.#since = undefined
    return busy
  }

  nextTurn(): void {
    this.#entered = false
  }
}

const WEIGHT = 0.1
/** A pause for other reasons, such as a collection of garbage, says little about requests. */
const MOST_COST_MS = 100

/** What is spent on requests in the present turn of the event loop, and what one of them costs on average. */
class Turn {
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
    this.cost += WEIGHT * (each - this.cost)
    this.#begun = 0
  }
}

/** First in, first out, each in constant time. */
class Line<T> {
  #in: T[] = []
  #out: T[] = []

  get length(): number {
    return this.#in.length + this.#out.length
  }

  get first(): T | undefined {
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
