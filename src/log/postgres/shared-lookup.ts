/**
 * Combines concurrent lookups into one query, as etcd's ReadIndex does. Lookups that arrive during a query share the next one,
 * so that no result comes from a query that began before the lookup, and all of them use one connection.
 */
export class SharedLookup<T> {
  readonly #query: (ids: readonly string[]) => Promise<ReadonlyMap<string, T>>
  #asked = new Set<string>()
  #next: Promise<ReadonlyMap<string, T>> | undefined
  #last: Promise<unknown> = Promise.resolve()

  constructor(look: (ids: readonly string[]) => Promise<ReadonlyMap<string, T>>) {
    this.#query = look
  }

  async find(id: string): Promise<T | undefined> {
    return (await this.findAll([id])).get(id)
  }

  /** The result may also contain ids of other lookups. */
  findAll(ids: readonly string[]): Promise<ReadonlyMap<string, T>> {
    for (const id of ids) this.#asked.add(id)
    this.#next ??= this.#afterLast()
    return this.#next
  }

  async #afterLast(): Promise<ReadonlyMap<string, T>> {
    await this.#last
    const ids = [...this.#asked]
    this.#asked = new Set()
    this.#next = undefined
    const result = this.#query(ids)
    this.#last = result.catch(() => undefined)
    return result
  }
}
