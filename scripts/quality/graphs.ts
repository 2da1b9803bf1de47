import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LINK_FIELDS, type LinkField } from '../../src/domain/links.js'
import {
  type EventKind,
  type JsonObject,
  LINK_KINDS,
  type NewMemory,
  type Source,
} from '../../src/domain/model.js'
import type { ContextFilter, Knowledge } from '../../src/domain/search/knowledge.js'
import { openJsonStore } from '../../src/store/json/store.js'
import type { Meaning } from '../../src/store/meaning.js'

const FOLDER = new URL('./graphs/', import.meta.url)

export type LabelledEvent = Readonly<Partial<Record<LinkField, readonly string[]>>> & {
  readonly key: string
  readonly event_kind: EventKind
  readonly source: Source
  readonly context_id: string
  readonly timestamp: string
  readonly payload: JsonObject
}

/** A question with what a good answer rests on and says. */
export interface Task {
  readonly id: string
  readonly kind: string
  readonly task: string
  readonly limit?: number
  readonly locus_query?: string
  readonly context_types?: Readonly<Record<string, readonly string[]>>
  readonly evidence: readonly string[]
  readonly superseded?: readonly string[]
  readonly answer_terms?: readonly (readonly string[])[]
  readonly action_terms?: readonly (readonly string[])[]
  readonly confidence: readonly string[]
}

export interface LabelledGraph {
  readonly graph_id: string
  readonly events: readonly LabelledEvent[]
  readonly tasks: readonly Task[]
}

/** A labelled graph in a store of its own. */
export interface Loaded {
  readonly graph: LabelledGraph
  /** Asks the graph (`Store.read`). */
  read<T>(ask: (knowledge: Knowledge) => Promise<T>): Promise<T>
  /** From the key of a labelled event to the id of the memory it became. */
  readonly ids: ReadonlyMap<string, string>
}

export async function readGraphs(): Promise<LabelledGraph[]> {
  const names = (await readdir(FOLDER)).filter((name) => name.endsWith('.json')).sort()
  // The files are ours; their form is stated above.
  return Promise.all(
    names.map(async (name) => JSON.parse(await readFile(new URL(name, FOLDER), 'utf8')) as LabelledGraph),
  )
}

/** Records the graphs in a real store, which reads them for meaning, and runs `work` on them. */
export async function withGraphs<T>(
  graphs: readonly LabelledGraph[],
  meaning: Meaning,
  work: (loaded: Loaded[]) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'loregraph-quality-'))
  const store = await openJsonStore({ folder, now: () => new Date(), randomBytes, log: SILENT, meaning })
  try {
    const loaded: Loaded[] = []
    for (const graph of graphs) {
      const receipts = await store.append(
        graph.graph_id,
        graph.events.map(toNewMemory),
        (i) => `/events/${i}`,
      )
      const ids = new Map(graph.events.map(({ key }, i) => [key, receipts[i]?.memoryId ?? '']))
      while ((await store.read(graph.graph_id, async (one) => one.unread())) > 0)
        await new Promise((resolve) => setTimeout(resolve, 20))
      loaded.push({ graph, read: (ask) => store.read(graph.graph_id, ask), ids })
    }
    return await work(loaded)
  } finally {
    await store.close()
    await rm(folder, { recursive: true, force: true })
  }
}

export function scopeOf({ context_types = {} }: Task): ContextFilter | undefined {
  const entries = Object.entries(context_types)
  if (entries.length === 0) return undefined
  return {
    types: entries.filter(([, names]) => names.length === 0).map(([type]) => type),
    contextIds: entries.flatMap(([type, names]) => names.map((name) => `${type}:${name}`)),
  }
}

export function toNewMemory(event: LabelledEvent): NewMemory {
  return {
    contextId: event.context_id,
    eventKind: event.event_kind,
    source: event.source,
    payload: event.payload,
    links: LINK_KINDS.flatMap((kind) => (event[LINK_FIELDS[kind]] ?? []).map((target) => ({ kind, target }))),
    occurredAt: new Date(event.timestamp).toISOString(),
  }
}

const SILENT = { info: () => {}, warn: () => {}, error: () => {} }
