/** In so long some hundred connections are accepted, if little else is done. */
const MOST_MS = 50
/** How often one caller may begin something meanwhile: who asks a hundred times a second need not wait for a crowd. */
const FEW_OF_ONE = 16
/** And all callers together, so that most of the time is left for accepting. */
const FEW_OF_ALL = 64

/**
 * Node accepts one connection in a turn of the event loop. While new ones arrive, turns in which little is begun accept
 * the others, with a turn for work after each `MOST_MS`: a connection that is not accepted cannot be answered or refused
 * either, and a probe may be among them.
 */
export class AcceptBurst {
  readonly #begun = new Map<string, number>()
  #begunByAll = 0
  #isOn = false
  #isSeen = false
  #since: number | undefined

  /** To be called for every new connection. */
  accepted(): void {
    if (this.#isSeen) return
    this.#isSeen = true
    const now = performance.now()
    this.#since ??= now
    this.#isOn = now - this.#since <= MOST_MS
    if (!this.#isOn) {
      this.#since = undefined
      this.#begun.clear()
      this.#begunByAll = 0
    }
    // Behind the immediates of this turn, which are to see it.
    setImmediate(() => {
      this.#isSeen = false
      this.#isOn = false
    })
  }

  /** Is this turn of the event loop for accepting? */
  get isOn(): boolean {
    return this.#isOn
  }

  /** May this caller begin something now? If so, it has. */
  begins(key: string): boolean {
    if (!this.#isOn) return true
    const own = this.#begun.get(key) ?? 0
    if (own === FEW_OF_ONE || this.#begunByAll === FEW_OF_ALL) return false
    this.#begun.set(key, own + 1)
    this.#begunByAll++
    return true
  }
}

/** There is one event loop, and one of these for it. */
export const acceptBurst = new AcceptBurst()
