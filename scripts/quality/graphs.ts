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
import { openFileStore } from '../../src/log/file-store.js'
import type { Meaning } from '../../src/store/meaning.js'

const FOLDER = new URL('./graphs/', import.meta.url)
const ANSWERS = new URL('./answers/', import.meta.url)

export type LabelledEvent = Readonly<Partial<Record<LinkField, readonly string[]>>> & {
  readonly key: string
  readonly event_kind: EventKind
  readonly source: Source
  readonly context_id: string
  readonly timestamp: string
  readonly payload: JsonObject
  readonly valid_from?: string
  readonly valid_until?: string
  /** Instead of an event: the key of one that is erased. */
  readonly erase?: string
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
  /** What the first line must match, of a question of `answers`; and what it must not. */
  readonly first?: string
  readonly not_in?: string
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
  /** The graph, for when its store is closed. */
  readonly rest: Knowing
}

export type Knowing = Pick<Knowledge, 'latest' | 'lines' | 'memories' | 'recordsAgainst' | 'vectors'>

export async function readGraphs(): Promise<LabelledGraph[]> {
  return (await readAll(FOLDER)) as LabelledGraph[]
}

/** The small graphs of plain questions, in the form of the others. */
export async function readAnswers(): Promise<LabelledGraph[]> {
  const all = (await readAll(ANSWERS)) as readonly (LabelledGraph & { readonly questions: readonly Task[] })[]
  return all.map(({ graph_id, events, questions }) => ({
    ...{ graph_id, events },
    tasks: questions.map((question, i) => ({ ...question, id: `q${i}`, evidence: [] })),
  }))
}

/** The files are ours; their form is stated above. */
async function readAll(folder: URL): Promise<unknown[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json')).sort()
  return Promise.all(names.map(async (name) => JSON.parse(await readFile(new URL(name, folder), 'utf8'))))
}

/** Records the graphs in a real store, which reads them for meaning, and runs `work` on them. */
export async function withGraphs<T>(
  graphs: readonly LabelledGraph[],
  meaning: Meaning,
  work: (loaded: Loaded[]) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'loregraph-quality-'))
  const store = await openFileStore({ folder, now: () => new Date(), randomBytes, log: SILENT, meaning })
  try {
    const loaded: Loaded[] = []
    for (const graph of graphs) {
      const ids = new Map<string, string>()
      for (const event of graph.events) {
        if (event.erase !== undefined) {
          await store.erase(graph.graph_id, { memoryId: ids.get(event.erase) ?? '' }, { dryRun: false })
          ids.delete(event.erase)
          continue
        }
        const [receipt] = await store.append(graph.graph_id, [toNewMemory(event, ids)], () => '/event')
        ids.set(event.key, receipt?.memoryId ?? '')
      }
      while ((await store.read(graph.graph_id, async (one) => one.unread())) > 0)
        await new Promise((resolve) => setTimeout(resolve, 20))
      const read = <T>(ask: (knowledge: Knowledge) => Promise<T>) => store.read(graph.graph_id, ask)
      loaded.push({ graph, read, ids, rest: await read((knowledge) => restOf(knowledge, [...ids.values()])) })
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

/** All memories of a graph, to be asked for when its store is closed. */
async function restOf(knowledge: Knowledge, ids: readonly string[]): Promise<Knowing> {
  const byId = new Map(knowledge.memories(ids).map((memory) => [memory.memoryId, memory]))
  const against = knowledge.recordsAgainst(ids)
  const lines = knowledge.lines(ids)
  const vectors = knowledge.vectors(ids)
  const latest = [...byId.values()].sort((a, b) => b.seq - a.seq)
  return {
    latest: ({ contextIds }, limit) =>
      latest.filter(({ contextId }) => contextIds.includes(contextId)).slice(0, limit),
    lines: () => lines,
    memories: (wanted) => wanted.flatMap((id) => byId.get(id) ?? []),
    recordsAgainst: (wanted) => new Map([...against].filter(([id]) => wanted.includes(id))),
    vectors: () => vectors,
  }
}

/** `ids` are those of the events before it, which `@key` in a link names. */
export function toNewMemory(event: LabelledEvent, ids: ReadonlyMap<string, string> = new Map()): NewMemory {
  const target = (name: string) => (name.startsWith('@') ? (ids.get(name.slice(1)) ?? name) : name)
  return {
    contextId: event.context_id,
    eventKind: event.event_kind,
    source: event.source,
    payload: event.payload,
    links: LINK_KINDS.flatMap((kind) =>
      (event[LINK_FIELDS[kind]] ?? []).map((name) => ({ kind, target: target(name) })),
    ),
    occurredAt: new Date(event.timestamp).toISOString(),
    ...(event.valid_from !== undefined && { validFrom: new Date(event.valid_from).toISOString() }),
    ...(event.valid_until !== undefined && { validUntil: new Date(event.valid_until).toISOString() }),
  }
}

const SILENT = { info: () => {}, warn: () => {}, error: () => {} }
