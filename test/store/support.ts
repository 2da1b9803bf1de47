import { createHash } from 'node:crypto'
import type { NewMemory } from '../../src/domain/model.js'
import type { EventPath, Store } from '../../src/store/store.js'
import type { PastEvent } from "../../src/domain/events/recording.js";

/** A store under test, empty at first. */
export interface Bench {
  readonly store: Store
  /** Closes the store and opens what it left behind. */
  reopen(): Promise<Store>
  /** Closes whatever is open and removes everything. */
  dispose(): Promise<void>
}

/** Opens an empty store that takes its time from `now`. */
export type OpenBench = (now: () => Date) => Promise<Bench>

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

/** Every answer that a store gives about a graph, for comparing two stores or one before and after. */
export async function everything(store: Store, graphId: string) {
  const all = { page: 0, pageSize: 100_000 }
  const types = await store.contextTypes(graphId, all)
  const contexts = await Promise.all(
    types.items.map(({ contextType }) => store.contexts(graphId, contextType, all)),
  )
  const ids = contexts.flatMap(({ items }) => items.map(({ contextId }) => contextId))
  const memories = await Promise.all(ids.map((id) => store.contextMemories(graphId, id, all)))
  const memoryIds = memories.flatMap(({ items }) => items.map(({ memoryId }) => memoryId))
  return {
    types,
    contexts,
    memories,
    relationships: await Promise.all(ids.map((id) => store.relationships(graphId, id, {}))),
    neighbours: await Promise.all(memoryIds.map((id) => store.neighbours(graphId, [id]))),
  }
}

/** Every event of a graph, as an export gives them. */
export async function exported(store: Store, graphId: string): Promise<PastEvent[]> {
  const events: PastEvent[] = []
  for await (const some of (await store.exportGraph(graphId)).events) events.push(...some)
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
