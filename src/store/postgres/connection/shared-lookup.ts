/**
 * Looks up with one statement what is asked for at about the same time. Whoever asks while one is under way shares the next,
 * so that everybody learns what was true after they asked, and all together hold one connection.
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
    this.#asked.add(id)
    this.#next ??= this.#afterLast()
    return (await this.#next).get(id)
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
