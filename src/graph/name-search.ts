import { Lru } from '../domain/lru.js'
import { byCodeUnit, type NameQuery, nameRank } from '../domain/names.js'
import type { Paging } from '../domain/page.js'
import type { ContextRow } from './rows.js'
import { existsAt, type Moment, NOW } from './rows.js'
import { SortedList } from './search/sorted-list.js'
import { TrigramIndex } from './search/trigrams.js'
import { Uint32List } from './search/uint32-list.js'

const RANKS = 5
const MAX_CACHED_QUERIES = 16
/** More candidates than contexts divided by this are not worth sorting. */
const SCAN_DIVISOR = 8

/**
 * Finds contexts by name. Checks only contexts that contain the rarest trigram of a term, and caches the results of the last
 * queries, so that a later page costs no more than the first.
 */
export class NameSearch {
  readonly #contexts: ContextRow[] = []
  readonly #byId = new SortedList<ContextRow>((a, b) => byCodeUnit(a.id, b.id))
  readonly #types = new Map<string, Uint32List>()
  readonly #grams = new TrigramIndex()
  #cachedResults = new Lru<string, Uint32List>(MAX_CACHED_QUERIES)

  add(context: ContextRow): void {
    this.#contexts.push(context)
    this.#byId.add(context)
    this.#grams.add(context.number, context.name)
    const ofType = this.#types.get(context.type)
    if (ofType === undefined) this.#types.set(context.type, new Uint32List(context.number))
    else ofType.push(context.number)
    if (this.#cachedResults.size > 0) this.#cachedResults = new Lru(MAX_CACHED_QUERIES)
  }

  /** One page of the matching contexts, best first, then by id (see names.ts), and their total number. */
  find(query: NameQuery, { page, pageSize }: Paging, moment: Moment): { items: ContextRow[]; total: number } {
    const found = this.#cachedResults.get(query.text) ?? this.#rank(query)
    this.#cachedResults.set(query.text, found)
    const [start, end] = [page * pageSize, (page + 1) * pageSize]
    if (moment.place === NOW) return { items: this.#at(found.slice(start, end)), total: found.length }
    const present = this.#at(found.slice(0, found.length)).filter((context) => existsAt(context, moment))
    return { items: present.slice(start, end), total: present.length }
  }

  #at(numbers: readonly number[]): ContextRow[] {
    return numbers.flatMap((number) => this.#contexts[number] ?? [])
  }

  #rank(query: NameQuery): Uint32List {
    const ranked: ContextRow[][] = Array.from({ length: RANKS }, () => [])
    for (const context of this.#candidates(query)) {
      const rank = nameRank(query, context.type, context.name)
      if (rank !== undefined) ranked[rank]?.push(context)
    }
    const found = new Uint32List()
    for (const contexts of ranked) for (const { number } of contexts) found.push(number)
    return found
  }

  /** All contexts that may contain the rarest term in their name or type, by id. */
  #candidates({ terms }: NameQuery): readonly ContextRow[] {
    let best: Uint32List[] | undefined
    // Sorting many candidates costs more than scanning all contexts, which are sorted already.
    let fewest = this.#contexts.length / SCAN_DIVISOR
    for (const term of terms) {
      const named = this.#grams.candidates(term)
      if (named === undefined) continue
      const lists = [named, ...this.#typesHolding(term)]
      const size = lists.reduce((sum, { length }) => sum + length, 0)
      if (size >= fewest) continue
      best = lists
      fewest = size
    }
    if (best === undefined) return this.#byId.values()
    const numbers = new Set(best.flatMap((list) => list.slice(0, list.length)))
    const contexts = Array.from(numbers, (number) => this.#contexts[number] ?? [])
    return contexts.flat().sort((a, b) => byCodeUnit(a.id, b.id))
  }

  #typesHolding(term: string): Uint32List[] {
    return [...this.#types].filter(([type]) => type.includes(term)).map(([, numbers]) => numbers)
  }
}
