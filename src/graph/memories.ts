import { memoryNotFound } from '../domain/failure.js'
import type { MemoryId } from '../domain/model.js'
import type { ContextFilter } from '../domain/search/knowledge.js'
import type { MemoryRow } from './rows.js'
import { existsAt, type Moment } from './rows.js'

/** The memories of a graph, in order of recording, which is also the order of their ids. */
export class Memories {
  readonly #rows: MemoryRow[] = []

  get list(): readonly MemoryRow[] {
    return this.#rows
  }

  add(row: MemoryRow): void {
    this.#rows.push(row)
  }

  /** Throws if there is no such memory, or was none at the moment. */
  get(id: MemoryId, moment?: Moment): MemoryRow {
    const row = this.find(id)
    if (row === undefined || (moment !== undefined && !existsAt(row, moment))) throw memoryNotFound(id)
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

  /** The existing memories with these ids, in the order of `ids`. */
  all(ids: Iterable<MemoryId>): MemoryRow[] {
    return Array.from(ids, (id) => this.find(id) ?? []).flat()
  }

  /** A predicate for the numbers of the memories in the scope. */
  within({ types, contextIds }: ContextFilter): (number: number) => boolean {
    const wantedTypes = new Set(types)
    const wantedIds = new Set(contextIds)
    return (number) => {
      const context = this.#rows[number]?.context
      return context !== undefined && (wantedTypes.has(context.type) || wantedIds.has(context.id))
    }
  }

  /** The memories of the scope, the latest first, at most `limit`. */
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
