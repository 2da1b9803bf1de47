/**
 * Combines concurrent calls into one, as etcd's ReadIndex does. Calls that arrive while one is running share the next one, so
 * that no result comes from work that began before the call, and all of them use one connection.
 */
export class SharedCall<T> {
  readonly #work: (ids: readonly string[]) => Promise<T>
  #asked = new Set<string>()
  #next: Promise<T> | undefined
  #last: Promise<unknown> = Promise.resolve()

  constructor(work: (ids: readonly string[]) => Promise<T>) {
    this.#work = work
  }

  /** The result also covers the ids of other calls. */
  run(ids: readonly string[]): Promise<T> {
    for (const id of ids) this.#asked.add(id)
    this.#next ??= this.#afterLast()
    return this.#next
  }

  async #afterLast(): Promise<T> {
    await this.#last
    const ids = [...this.#asked]
    this.#asked = new Set()
    this.#next = undefined
    const result = this.#work(ids)
    this.#last = result.catch(() => undefined)
    return result
  }
}
