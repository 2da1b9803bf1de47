import { memoryNotFound } from '../domain/failure.js'
import type { MemoryId } from '../domain/model.js'
import type { ContextFilter } from '../domain/search/knowledge.js'
import type { MemoryRow } from './rows.js'
import { isThere, type Moment } from './rows.js'

/** The memories of a graph: in order of recording, and so in order of their ids. */
export class Memories {
  readonly #rows: MemoryRow[] = []

  get list(): readonly MemoryRow[] {
    return this.#rows
  }

  add(row: MemoryRow): void {
    this.#rows.push(row)
  }

  get(id: MemoryId): MemoryRow {
    const row = this.find(id)
    if (row === undefined) throw memoryNotFound(id)
    return row
  }

  find(id: MemoryId): MemoryRow | undefined {
    let low = 0
    let high = this.#rows.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#rows[middle]?.id ?? '') < id) low = middle + 1
      else high = middle
    }
    const row = this.#rows[low]
    return row?.id === id ? row : undefined
  }

  /** As `get`, of those that were there. */
  getThen(id: MemoryId, moment: Moment): MemoryRow {
    const row = this.get(id)
    if (!isThere(row, moment)) throw memoryNotFound(id)
    return row
  }

  /** Those of the ids that are there, in the order of the ids. */
  all(ids: Iterable<MemoryId>): MemoryRow[] {
    return Array.from(ids, (id) => this.find(id) ?? []).flat()
  }

  /** Is the memory with that number in the scope? */
  within({ types, contextIds }: ContextFilter): (number: number) => boolean {
    const wantedTypes = new Set(types)
    const wantedIds = new Set(contextIds)
    return (number) => {
      const context = this.#rows[number]?.context
      return context !== undefined && (wantedTypes.has(context.type) || wantedIds.has(context.id))
    }
  }

  /** Those of the scope, the latest first, at most `limit`. */
  latest(scope: ContextFilter, limit: number, moment: Moment): readonly MemoryRow[] {
    const isWithin = this.within(scope)
    const found: MemoryRow[] = []
    for (let i = moment.memories - 1; i >= 0 && found.length < limit; i--) {
      const row = this.#rows[i]
      if (row !== undefined && isWithin(i)) found.push(row)
    }
    return found
  }
}
