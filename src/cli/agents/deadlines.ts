/**
 * Signals that end what was begun: each at its deadline, and all of them when everything stops. `AbortSignal.any` with a
 * signal that lives as long as the process would keep two kilobytes of every request for ever.
 */
export class Deadlines {
  readonly #ms: number
  readonly #underWay = new Set<AbortController>()

  constructor(ms: number) {
    this.#ms = ms
  }

  /** How many have not reached their deadline. */
  get size(): number {
    return this.#underWay.size
  }

  begin(): AbortSignal {
    const own = new AbortController()
    this.#underWay.add(own)
    setTimeout(() => this.#end(own, new DOMException('It took too long.', 'TimeoutError')), this.#ms).unref()
    return own.signal
  }

  stop(): void {
    for (const one of this.#underWay) this.#end(one)
  }

  #end(one: AbortController, reason?: DOMException): void {
    this.#underWay.delete(one)
    one.abort(reason)
  }
}
