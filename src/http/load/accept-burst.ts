/** In so long some hundred connections are accepted, if nothing else is done. */
const MOST_MS = 50

/**
 * Node accepts one connection in a turn of the event loop. While new ones arrive, turns in which nothing is begun accept
 * the others, for a while: a connection that is not accepted cannot be answered or refused either, and a probe may be among
 * them.
 */
export class AcceptBurst {
  #accepted = false
  #since: number | undefined

  /** To be called for every new connection. */
  accepted(): void {
    if (this.#accepted) return
    this.#accepted = true
    // Behind the immediates of this turn, which are to see it.
    setImmediate(() => {
      this.#accepted = false
    })
  }

  isOn(): boolean {
    if (this.#accepted) this.#since ??= performance.now()
    const on = this.#accepted && performance.now() - (this.#since ?? 0) <= MOST_MS
    if (!on) this.#since = undefined
    return on
  }
}
