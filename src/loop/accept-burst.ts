/** A burst ends when no connection arrived for this long, unless a single turn took as long. */
const QUIET_MS = 10
/** How long turns are reserved for accepting: enough for some hundred connections if little else is done. */
const MAX_ACCEPT_MS = 50
/** How long one caller may work during a burst: enough for a hundred requests a second. */
const MAX_WORK_MS_PER_CALLER = 8
/** How long all callers together may work during a burst. */
const MAX_WORK_MS = 18

/**
 * Node accepts one connection in each turn of the event loop. While new connections arrive, little other work is done, so that
 * turns are short; after each `MAX_ACCEPT_MS`, one turn is for work. Otherwise a waiting connection, which may be a health
 * probe, could be neither answered nor refused.
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

  /** Must be called for every new connection. */
  noteConnection(): void {
    if (this.#isSeen) return
    this.#isSeen = true
    const now = this.#now()
    if (this.#isOver || (this.#isQuiet && now - this.#latest > QUIET_MS)) this.#startAt(now)
    this.#latest = now
    this.#isQuiet = false
    // After `MAX_ACCEPT_MS`, one turn for work; the next connection starts a new burst.
    this.#isOver = now - this.#since > MAX_ACCEPT_MS
    this.#isOn = !this.#isOver
    if (this.#isArmed) return
    this.#isArmed = true
    setImmediate(this.#endTurn)
  }

  /** Is this turn of the event loop for accepting connections? */
  get isOn(): boolean {
    return this.#isOn
  }

  /** Returns whether this caller may start work now, and if so, starts to measure it. */
  tryBegin(key: string, maxMs = MAX_WORK_MS_PER_CALLER): boolean {
    if (!this.#isOn) return true
    this.#charge()
    if ((this.#spent.get(key) ?? 0) > maxMs || this.#spentByAll > MAX_WORK_MS) return false
    this.#working = { key, since: this.#now() }
    return true
  }

  /** Runs before most immediates of the next turn, so that these see whether a connection was accepted in it. */
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

export const acceptBurst = new AcceptBurst()
