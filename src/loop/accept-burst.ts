/** A burst is over when none came for so long, and not only because a turn took as long. */
const QUIET_MS = 10
/** In so long some hundred connections are accepted, if little else is done. */
const MOST_MS = 50
/** What one caller may take of it for its work: enough for who asks a hundred times a second, and little for a crowd. */
const MOST_MS_OF_ONE = 8
/** And all callers together. */
const MOST_MS_OF_ALL = 18

/**
 * Node accepts one connection in a turn of the event loop. While new ones arrive, turns in which little is done accept
 * the others, with a turn for work after each `MOST_MS`: a connection that is not accepted cannot be answered or refused
 * either, and a probe may be among them.
 */
export class AcceptBurst {
  readonly #now: () => number
  readonly #spent = new Map<string, number>()
  #spentByAll = 0
  #working: { readonly key: string; readonly since: number } | undefined
  #isOn = false
  #isOver = true
  #isQuiet = false
  #isSeen = false
  #isArmed = false
  #since = 0
  #latest = 0

  constructor(now = () => performance.now()) {
    this.#now = now
  }

  /** To be called for every new connection. */
  accepted(): void {
    if (this.#isSeen) return
    this.#isSeen = true
    const now = this.#now()
    if (this.#isOver || (this.#isQuiet && now - this.#latest > QUIET_MS)) this.#startAt(now)
    this.#latest = now
    this.#isQuiet = false
    // A turn for work; the next connection begins a burst.
    this.#isOver = now - this.#since > MOST_MS
    this.#isOn = !this.#isOver
    if (this.#isArmed) return
    this.#isArmed = true
    setImmediate(this.#endTurn)
  }

  /** Is this turn of the event loop for accepting? */
  get isOn(): boolean {
    return this.#isOn
  }

  /** May this caller begin something now? If so, it has. */
  begins(key: string, mostMs = MOST_MS_OF_ONE): boolean {
    if (!this.#isOn) return true
    this.#charge()
    if ((this.#spent.get(key) ?? 0) > mostMs || this.#spentByAll > MOST_MS_OF_ALL) return false
    this.#working = { key, since: this.#now() }
    return true
  }

  /** Runs before most immediates of the next turn, so that they see whether something was accepted in it. */
  readonly #endTurn = (): void => {
    this.#charge()
    this.#isArmed = this.#isSeen
    if (this.#isSeen) setImmediate(this.#endTurn)
    this.#isOn &&= this.#isSeen
    this.#isQuiet ||= !this.#isSeen
    this.#isSeen = false
  }

  #charge(): void {
    if (this.#working === undefined) return
    const { key, since } = this.#working
    const ms = this.#now() - since
    this.#spent.set(key, (this.#spent.get(key) ?? 0) + ms)
    this.#spentByAll += ms
    this.#working = undefined
  }

  #startAt(now: number): void {
    this.#since = now
    this.#spent.clear()
    this.#spentByAll = 0
  }
}

/** There is one event loop, and one of these for it. */
export const acceptBurst = new AcceptBurst()
