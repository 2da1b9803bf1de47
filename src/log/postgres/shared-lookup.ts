/**
 * Looks up with one query what is asked for at about the same time, as etcd's ReadIndex does: who asks while a query is
 * under way shares the next one, so that no answer comes from a query that began before it was asked for, and all together
 * hold one connection.
 */
export class SharedLookup<T> {
  readonly #look: (ids: readonly string[]) => Promise<ReadonlyMap<string, T>>
  #asked = new Set<string>()
  #next: Promise<ReadonlyMap<string, T>> | undefined
  #last: Promise<unknown> = Promise.resolve()

  constructor(look: (ids: readonly string[]) => Promise<ReadonlyMap<string, T>>) {
    this.#look = look
  }

  async find(id: string): Promise<T | undefined> {
    return (await this.findAll([id])).get(id)
  }

  /** May hold others as well, which were asked for meanwhile. */
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
    const looking = this.#look(ids)
    this.#last = looking.catch(() => undefined)
    return looking
  }
}
