import { contextNotFound } from '../../../domain/failure.js'
import type { Context, ContextId, TypeCount } from '../../../domain/model.js'
import { byCodeUnit, type NameQuery, splitContextId } from '../../../domain/names.js'
import { type Page, type Paging, pageOf } from '../../../domain/page.js'
import type { ContextFilter } from '../../store.js'
import { SortedList } from '../search/sorted-list.js'
import { NameSearch } from './name-search.js'
import { type ContextRow, NONE, NOWHERE } from './rows.js'

/** The contexts of a graph: by id, by type and by what they are called. */
export class Contexts {
  readonly #byId = new Map<ContextId, ContextRow>()
  readonly #types = new Map<string, SortedList<ContextRow>>()
  readonly #typeNames = new SortedList<string>(byCodeUnit)
  readonly #search = new NameSearch()
  /** How many links there are between them. */
  relationships = 0

  /** The context with that id, made at `at` if it is new. */
  ensure(id: ContextId, at: string): ContextRow {
    const known = this.#byId.get(id)
    if (known !== undefined) return known
    const context: ContextRow = {
      number: this.#byId.size,
      id,
      ...splitContextId(id),
      createdAt: at,
      updatedAt: at,
      memories: NONE,
      outgoing: NOWHERE,
      incoming: NOWHERE,
    }
    this.#byId.set(id, context)
    this.#search.add(context)
    let contexts = this.#types.get(context.type)
    if (contexts === undefined) {
      contexts = new SortedList<ContextRow>((a, b) => byCodeUnit(a.name, b.name))
      this.#types.set(context.type, contexts)
      this.#typeNames.add(context.type)
    }
    contexts.add(context)
    return context
  }

  get size(): number {
    return this.#byId.size
  }

  get(id: ContextId): ContextRow {
    const context = this.#byId.get(id)
    if (context === undefined) throw contextNotFound(id)
    return context
  }

  types(paging: Paging): Page<TypeCount> {
    const page = pageOf(this.#typeNames.values(), paging)
    const count = (contextType: string) => ({ contextType, count: this.#types.get(contextType)?.length ?? 0 })
    return { ...page, items: page.items.map(count) }
  }

  ofType(type: string, paging: Paging): Page<Context> {
    const page = pageOf(this.#types.get(type)?.values() ?? [], paging)
    return { ...page, items: page.items.map(toContext) }
  }

  /** Those of a scope; one that its type and its id both name comes twice. */
  *within({ types, contextIds }: ContextFilter): Generator<ContextRow> {
    for (const type of types) yield* this.#types.get(type)?.values() ?? []
    for (const id of contextIds) {
      const context = this.#byId.get(id)
      if (context !== undefined) yield context
    }
  }

  search(query: NameQuery, paging: Paging): Page<Context> {
    const { items, total } = this.#search.find(query, paging)
    return { items: items.map(toContext), total, ...paging }
  }
}

export function toContext({ id, type, name, memories, createdAt, updatedAt }: ContextRow): Context {
  return {
    contextId: id,
    contextType: type,
    contextName: name,
    memoryCount: memories.length,
    createdAt,
    updatedAt,
  }
}
