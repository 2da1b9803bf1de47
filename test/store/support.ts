import { createHash } from 'node:crypto'
import type { PastEvent } from '../../src/domain/events/recording.js'
import { type KeyId, revocable, SCOPES } from '../../src/domain/keys.js'
import type { ContextId, GraphId, MemoryId, NewMemory } from '../../src/domain/model.js'
import type { NameQuery } from '../../src/domain/names.js'
import type { Paging } from '../../src/domain/page.js'
import type { ContextFilter, Near, Retrieval } from '../../src/domain/search/knowledge.js'
import type { TextCache } from '../../src/domain/text-cache.js'
import type { AsOf, When } from '../../src/domain/time.js'
import type { RelationshipFilter } from '../../src/graph/reader.js'
import type { Meaning } from '../../src/store/meaning.js'
import type { EventPath, GraphReader, Store } from '../../src/store/store.js'

/** A store under test, empty at first. */
export interface Bench {
  readonly store: Store
  /** The cache that the store was opened with. */
  readonly texts: TextCache
  /** Closes the store and opens what it left behind. */
  reopen(): Promise<Store>
  /** Closes whatever is open and removes everything. */
  dispose(): Promise<void>
}

/** Opens an empty store that takes its time from `now`, and reads memories with `meaning` if it is given. */
export type OpenBench = (now: () => Date, meaning?: Meaning) => Promise<Bench>

/** A store that `open` opens, empty at first, and again what it left behind. */
export async function benchOf(texts: TextCache, open: () => Promise<Store>): Promise<Bench> {
  let store = await open()
  return {
    store,
    texts,
    async reopen() {
      await store.close()
      store = await open()
      return store
    },
    dispose: () => store.close(),
  }
}

/** Removes a key as the root secret does. */
export function revoke(store: Store, keyId: KeyId, withDescendants = false) {
  return store.keys.remove(keyId, (family) =>
    revocable(family, { keyId, withDescendants }, { scopes: SCOPES }),
  )
}

export const at: EventPath = (index) => `/body/events/${index}`
export const FIRST = { page: 0, pageSize: 100 }

/** An event with what matters to the test and nothing else. */
export function event(contextId: string, text: string, more: Partial<NewMemory> = {}): NewMemory {
  return { contextId, eventKind: 'fact', source: 'agent', payload: { text }, links: [], ...more }
}

export function contradicts(...targets: string[]): Pick<NewMemory, 'links'> {
  return { links: targets.map((target) => ({ kind: 'contradiction', target })) }
}

export function reinforces(...targets: string[]): Pick<NewMemory, 'links'> {
  return { links: targets.map((target) => ({ kind: 'reinforcement', target })) }
}

export function extending(...targets: string[]): Pick<NewMemory, 'links'> {
  return { links: targets.map((target) => ({ kind: 'extension', target })) }
}

/** A clock that a test sets; every look at it moves it on by a second. */
export function createClock(start = '2025-01-01T00:00:00.000Z') {
  let time = Date.parse(start)
  return {
    now: () => {
      time += 1000
      return new Date(time)
    },
    set(iso: string) {
      time = Date.parse(iso)
    },
  }
}

/** Records one event and gives its receipt. */
export async function record(store: Store, graphId: string, one: NewMemory) {
  const [receipt] = await store.append(graphId, [one], at)
  if (receipt === undefined) throw new Error('An append of one event has one receipt.')
  return receipt
}

/** One question about a graph, as a read of its own: `ask(store, 'g').memory(id)`. */
export function ask(store: Store, graphId: GraphId) {
  const read = <T>(question: (graph: GraphReader) => T | Promise<T>): Promise<T> =>
    store.read(graphId, async (graph) => question(graph))
  return {
    contextTypes: (paging: Paging) => read((graph) => graph.contextTypes(paging)),
    contextsOfType: (type: string, paging: Paging) => read((graph) => graph.contextsOfType(type, paging)),
    searchContexts: (query: NameQuery, paging: Paging) =>
      read((graph) => graph.searchContexts(query, paging)),
    context: (id: ContextId) => read((graph) => graph.context(id)),
    contextMemories: (id: ContextId, paging: Paging) => read((graph) => graph.contextMemories(id, paging)),
    relationships: (id: ContextId, filter: RelationshipFilter) =>
      read((graph) => graph.relationships(id, filter)),
    memory: (id: MemoryId) => read((graph) => graph.memory(id)),
    retrieve: (retrieval: Retrieval) => read((graph) => graph.retrieve(retrieval)),
    nearest: (near: Near) => read((graph) => graph.nearest(near)),
    vectors: (ids: readonly MemoryId[]) => read((graph) => graph.vectors(ids)),
    unread: () => read((graph) => graph.unread()),
    weigh: (terms: readonly string[]) => read((graph) => graph.weigh(terms)),
    latest: (filter: ContextFilter, limit: number) => read((graph) => graph.latest(filter, limit)),
    neighbours: (ids: readonly MemoryId[]) => read((graph) => graph.neighbours(ids)),
  }
}

/** Every answer that a store gives about a graph, for comparing two stores or one before and after. */
export async function everything(store: Store, graphId: string, when: When = {}) {
  const all = { page: 0, pageSize: 100_000 }
  return store.readAt(graphId, when, async (graph) => {
    const types = graph.contextTypes(all)
    const contexts = await Promise.all(
      types.items.map(({ contextType }) => graph.contextsOfType(contextType, all)),
    )
    const ids = contexts.flatMap(({ items }) => items.map(({ contextId }) => contextId))
    const memories = await Promise.all(ids.map((id) => graph.contextMemories(id, all)))
    const memoryIds = memories.flatMap(({ items }) => items.map(({ memoryId }) => memoryId))
    return {
      types,
      contexts,
      memories,
      relationships: await Promise.all(ids.map((id) => graph.relationships(id, {}))),
      neighbours: await Promise.all(memoryIds.map((id) => graph.neighbours([id]))),
    }
  })
}

/** Every event of a graph, as an export gives them. */
export async function exported(store: Store, graphId: string, asOf?: AsOf): Promise<PastEvent[]> {
  const events: PastEvent[] = []
  for await (const some of (await store.exportGraph(graphId, { ...(asOf && { asOf }) })).events)
    events.push(...some)
  return events
}

/** The events as an import takes them, a few at a time; `then` is done after the last ones. */
export async function* inPages(
  events: readonly PastEvent[],
  size = 3,
  then: () => void | Promise<void> = () => undefined,
): AsyncGenerator<readonly PastEvent[]> {
  for (let i = 0; i < events.length; i += size) yield events.slice(i, i + size)
  await then()
}

/** Every answer about a graph but the places of its memories in the order of recording, which an erasure moves. */
export async function withoutPlaces(store: Store, graphId: string): Promise<unknown> {
  return JSON.parse(
    JSON.stringify(await everything(store, graphId), (key, value) => (key === 'seq' ? undefined : value)),
  )
}

/** A clock and a chance that are the same whenever they are made: two stores that have them give the same ids and times. */
export function fate() {
  // Each size has a sequence of its own: 16 bytes are drawn for ids, others for what only one of the stores needs.
  const drawn = new Map<number, number>()
  return {
    now: createClock().now,
    randomBytes(size: number) {
      const count = (drawn.get(size) ?? 0) + 1
      drawn.set(size, count)
      return createHash('shake256', { outputLength: size }).update(String(count)).digest()
    },
  }
}
