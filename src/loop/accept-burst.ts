/** In so long some hundred connections are accepted, if nothing else is done. */
const MOST_MS = 50

/**
 * Node accepts one connection in a turn of the event loop. While new ones arrive, turns in which nothing is begun accept
 * the others, with a turn for work after each `MOST_MS`: a connection that is not accepted cannot be answered or refused
 * either, and a probe may be among them.
 */
export class AcceptBurst {
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
    if (!this.#isOn) this.#since = undefined
    // Behind the immediates of this turn, which are to see it.
    setImmediate(() => {
      this.#isSeen = false
      this.#isOn = false
    })
  }

  /** Is this turn of the event loop for accepting alone? */
  get isOn(): boolean {
    return this.#isOn
  }
}

/** There is one event loop, and one of these for it. */
export const acceptBurst = new AcceptBurst()
