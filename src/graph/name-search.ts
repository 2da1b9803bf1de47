import { Lru } from '../domain/lru.js'
import { byCodeUnit, gramsOf, type NameQuery, nameRank } from '../domain/names.js'
import { type Page, type Paging, pageOf } from '../domain/page.js'
import { type ContextRow, existsAt, type Moment, NOW } from './rows.js'
import { SortedList } from './search/sorted-list.js'

const RANKS = 5
const MAX_CACHED_QUERIES = 16
/** More candidates than contexts divided by this are not worth sorting. */
const SCAN_DIVISOR = 8

/**
 * Finds contexts by name. Checks only contexts that contain the rarest trigram of a term, and caches the results of the last
 * queries, so that a later page costs no more than the first.
 */
export class NameSearch {
  readonly #byId = new SortedList<ContextRow>(byId)
  readonly #byType = new Map<string, ContextRow[]>()
  readonly #byGram = new Map<string, ContextRow[]>()
  #cachedResults = new Lru<string, readonly ContextRow[]>(MAX_CACHED_QUERIES)

  add(context: ContextRow): void {
    this.#byId.add(context)
    addTo(this.#byType, context.type, context)
    for (const gram of gramsOf(context.name)) addTo(this.#byGram, gram, context)
    if (this.#cachedResults.size > 0) this.#cachedResults = new Lru(MAX_CACHED_QUERIES)
  }

  /** One page of the matching contexts, best first, then by id (see names.ts). */
  find(query: NameQuery, paging: Paging, moment: Moment): Page<ContextRow> {
    const found = this.#cachedResults.get(query.text) ?? this.#rank(query)
    this.#cachedResults.set(query.text, found)
    return pageOf(moment.place === NOW ? found : found.filter((context) => existsAt(context, moment)), paging)
  }

  #rank(query: NameQuery): readonly ContextRow[] {
    const ranked = Array.from({ length: RANKS }, (): ContextRow[] => [])
    for (const context of this.#candidates(query)) {
      const rank = nameRank(query, context.type, context.name)
      if (rank !== undefined) ranked[rank]?.push(context)
    }
    return ranked.flat()
  }

  /** All contexts that may contain the rarest term in their name or type, by id. */
  #candidates({ terms }: NameQuery): readonly ContextRow[] {
    let best: (readonly ContextRow[])[] | undefined
    // Sorting many candidates costs more than scanning all contexts, which are sorted already.
    let fewest = this.#byId.length / SCAN_DIVISOR
    for (const term of terms) {
      const named = this.#named(term)
      if (named === undefined) continue
      const lists = [named, ...[...this.#byType].flatMap(([type, all]) => (type.includes(term) ? [all] : []))]
      const size = lists.reduce((sum, { length }) => sum + length, 0)
      if (size >= fewest) continue
      best = lists
      fewest = size
    }
    if (best === undefined) return this.#byId.values()
    return [...new Set(best.flat())].sort(byId)
  }

  /** A superset of the contexts whose name contains the term; undefined when the term is shorter than a trigram. */
  #named(term: string): readonly ContextRow[] | undefined {
    const lists = Array.from(gramsOf(term), (gram) => this.#byGram.get(gram) ?? [])
    return lists.sort((a, b) => a.length - b.length)[0]
  }
}

function byId(a: ContextRow, b: ContextRow): number {
  return byCodeUnit(a.id, b.id)
}

/** A list that begins with its first item takes less memory than an empty one that grows: most trigrams are rare. */
function addTo(lists: Map<string, ContextRow[]>, key: string, context: ContextRow): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [context])
  else list.push(context)
}
