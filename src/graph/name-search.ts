import { byCodeUnit, type NameQuery, nameRank } from '../domain/names.js'
import type { Paging } from '../domain/page.js'
import type { ContextRow } from './rows.js'
import { isThere, type Moment, NOW } from './rows.js'
import { SortedList } from './search/sorted-list.js'
import { TrigramIndex } from './search/trigrams.js'
import { Uint32List } from './search/uint32-list.js'

const RANKS = 5
const MOST_REMEMBERED = 16
const MANY = 8

/**
 * Finds contexts by what they are called. It looks only at those that a gram of the rarest term allows, and remembers
 * the last few answers, so that a deep page costs what the first one costs.
 */
export class NameSearch {
  readonly #contexts: ContextRow[] = []
  readonly #byId = new SortedList<ContextRow>((a, b) => byCodeUnit(a.id, b.id))
  readonly #types = new Map<string, Uint32List>()
  readonly #grams = new TrigramIndex()
  readonly #remembered = new Map<string, Uint32List>()

  add(context: ContextRow): void {
    this.#contexts.push(context)
    this.#byId.add(context)
    this.#grams.add(context.number, context.name)
    const ofType = this.#types.get(context.type)
    if (ofType === undefined) this.#types.set(context.type, new Uint32List(context.number))
    else ofType.push(context.number)
    this.#remembered.clear()
  }

  /** One page of the contexts that match, best first, then by id (names.ts), and how many there are. */
  find(query: NameQuery, { page, pageSize }: Paging, moment: Moment): { items: ContextRow[]; total: number } {
    const found = this.#remembered.get(query.text) ?? this.#rank(query)
    this.#remembered.delete(query.text)
    this.#remembered.set(query.text, found)
    for (const oldest of this.#remembered.keys())
      if (this.#remembered.size > MOST_REMEMBERED) this.#remembered.delete(oldest)
    const [start, end] = [page * pageSize, (page + 1) * pageSize]
    if (moment.place === NOW) return { items: this.#at(found.slice(start, end)), total: found.length }
    const there = this.#at(found.slice(0, found.length)).filter((context) => isThere(context, moment))
    return { items: there.slice(start, end), total: there.length }
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
    for (const equals of ranked) for (const { number } of equals) found.push(number)
    return found
  }

  /** All contexts that could hold the rarest term in their name or type, by id. */
  #candidates({ terms }: NameQuery): readonly ContextRow[] {
    let best: Uint32List[] | undefined
    // Putting many in order costs more than looking at all, which are in order already.
    let fewest = this.#contexts.length / MANY
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
