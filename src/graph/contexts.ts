import { contextNotFound } from '../domain/failure.js'
import type { Context, ContextId, TypeCount } from '../domain/model.js'
import { byCodeUnit, type NameQuery, splitContextId } from '../domain/names.js'
import { type Page, type Paging, pageOf } from '../domain/page.js'
import type { ContextFilter } from '../domain/search/knowledge.js'
import { laterOf } from '../domain/time.js'
import { NameSearch } from './name-search.js'
import { type ContextRow, countAt, existsAt, type Moment, NO_RELATIONS, NONE, NOW } from './rows.js'
import { SortedList } from './search/sorted-list.js'

/** The contexts of a graph: by id, by type and by name. */
export class Contexts {
  readonly #byId = new Map<ContextId, ContextRow>()
  readonly #types = new Map<string, SortedList<ContextRow>>()
  readonly #typeNames = new SortedList<string>(byCodeUnit)
  readonly #search = new NameSearch()
  /** The number of relationships between contexts. */
  relationships = 0

  /** The context with that id. A new one is created by the event at `place`. */
  ensure(
    id: ContextId,
    { place, recordedAt }: { readonly place: number; readonly recordedAt: string },
  ): ContextRow {
    const existing = this.#byId.get(id)
    if (existing !== undefined) return existing
    const context: ContextRow = {
      number: this.#byId.size,
      id,
      ...splitContextId(id),
      place,
      createdAt: recordedAt,
      updatedAt: recordedAt,
      memories: NONE,
      sightings: NONE,
      outgoing: NO_RELATIONS,
      incoming: NO_RELATIONS,
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

  /** Throws if there is no such context, or was none at the moment. */
  get(id: ContextId, moment?: Moment): ContextRow {
    const context = this.#byId.get(id)
    if (context === undefined || (moment !== undefined && !existsAt(context, moment)))
      throw contextNotFound(id)
    return context
  }

  types(paging: Paging, moment: Moment): Page<TypeCount> {
    const count = (contextType: string) => ({ contextType, count: this.#countOf(contextType, moment) })
    if (moment.place !== NOW)
      return pageOf(
        this.#typeNames
          .values()
          .map(count)
          .filter((type) => type.count > 0),
        paging,
      )
    const page = pageOf(this.#typeNames.values(), paging)
    return { ...page, items: page.items.map(count) }
  }

  ofType(type: string, paging: Paging, moment: Moment): Page<Context> {
    const page = pageOf(this.#ofType(type, moment), paging)
    return { ...page, items: page.items.map((context) => toContext(context, moment)) }
  }

  /** The contexts of a scope. A context that is named by both its type and its id is yielded twice. */
  *within({ types, contextIds }: ContextFilter): Generator<ContextRow> {
    for (const type of types) yield* this.#types.get(type)?.values() ?? []
    for (const id of contextIds) {
      const context = this.#byId.get(id)
      if (context !== undefined) yield context
    }
  }

  search(query: NameQuery, paging: Paging, moment: Moment): Page<Context> {
    const page = this.#search.find(query, paging, moment)
    return { ...page, items: page.items.map((context) => toContext(context, moment)) }
  }

  /** Counting the present contexts does not sort them. */
  #countOf(type: string, moment: Moment): number {
    return moment.place === NOW ? (this.#types.get(type)?.length ?? 0) : this.#ofType(type, moment).length
  }

  #ofType(type: string, moment: Moment): readonly ContextRow[] {
    const contexts = this.#types.get(type)?.values() ?? []
    return moment.place === NOW ? contexts : contexts.filter((context) => existsAt(context, moment))
  }
}

export function toContext(context: ContextRow, moment: Moment): Context {
  return {
    contextId: context.id,
    contextType: context.type,
    contextName: context.name,
    memoryCount: countAt(context.memories, moment),
    createdAt: context.createdAt,
    updatedAt: updatedAt(context, moment),
  }
}

/** When something was last recorded in the context. */
function updatedAt(context: ContextRow, moment: Moment): string {
  if (moment.place === NOW) return context.updatedAt
  const { memories, sightings, createdAt } = context
  const recorded = memories[countAt(memories, moment) - 1]?.recordedAt ?? createdAt
  const seen = sightings[countAt(sightings, moment) - 1]?.recordedAt ?? createdAt
  return laterOf(recorded, seen)
}
