import type { components } from '../../client/index.js'
import type { PastEvent } from '../../domain/events/recording.js'
import type { ContextId, GraphId, MemoryId } from '../../domain/model.js'

type Schemas = components['schemas']
export type Key = Schemas['Key']
type CreatedKey = Schemas['CreatedKey']
export type KeyRequest = Schemas['KeyRequest']
export type Insight = Schemas['Insight']
export type Memory = Schemas['Memory']
export type GraphDetail = Schemas['GraphDetail']
export type Dispute = Schemas['Dispute']
type StaleMemory = Schemas['StaleMemory']
export type Statement = Schemas['MemoryStatement']
export type History = Omit<Schemas['MemoryHistory'], 'page' | 'page_size'>
export type Neighbourhood = Schemas['Neighbourhood']
type Brief = Schemas['Brief']
type Imported = Schemas['ImportedGraph']

/** The operations that commands use, on the data folder (`local.ts`) or a running service (`remote.ts`). */
export interface Api {
  createKey(request: KeyRequest): Promise<CreatedKey>
  keys(): Promise<readonly Key[]>
  revokeKey(keyId: string, withDescendants?: boolean): Promise<void>
  insight(request: Question): Promise<Insight>
  /** A memory; undefined if it is gone by now. */
  memory(graphId: GraphId, memoryId: MemoryId): Promise<Memory | undefined>
  graphIds(): Promise<readonly GraphId[]>
  graph(graphId: GraphId): Promise<GraphDetail>
  brief(graphId: GraphId, request: BriefRequest): Promise<Brief>
  disputes(graphId: GraphId): Promise<readonly Dispute[]>
  stale(graphId: GraphId): Promise<StaleMemories>
  /** With all statements. */
  history(graphId: GraphId, memoryId: MemoryId): Promise<History>
  /** As many contexts as one answer holds. */
  around(graphId: GraphId, context: ContextId, depth: number): Promise<Neighbourhood>
  /** The bytes of an export, some at a time; as of a moment if one is given. */
  exportGraph(graphId: GraphId, asOf?: string): Promise<AsyncIterable<Uint8Array>>
  /** All or nothing, also when the events end in an error, which it then rejects with. */
  importGraph(graphId: GraphId, events: AsyncIterable<readonly PastEvent[]>): Promise<Imported>
  /** Records the demo graph; false if it is there already. */
  loadDemo(): Promise<boolean>
  close(): Promise<void>
}

/** The operations that look over a graph. */
export type Survey = Pick<Api, 'graphIds' | 'graph' | 'brief' | 'disputes' | 'stale' | 'history' | 'around'>

export interface StaleMemories {
  readonly stale: readonly StaleMemory[]
  /** Whether there may be more. */
  readonly more_stale: boolean
}

export interface Question {
  readonly graph_id: GraphId
  readonly task: string
  readonly limit: number
  readonly explain: boolean
  readonly as_of?: string
  readonly valid_at?: string
}

export interface BriefRequest {
  readonly task?: string
  readonly max_chars: number
}

/** The largest page, and the most contexts of a neighbourhood, that the contract allows. */
export const LARGEST_PAGE = 500
export const MOST_CONTEXTS = 1000

/** All items of a list that is given a page at a time. */
export async function allPages<T>(
  pageOf: (page: number) => Promise<{ readonly items: readonly T[]; readonly total: number }>,
): Promise<readonly T[]> {
  const all: T[] = []
  for (let page = 0; ; page++) {
    const { items, total } = await pageOf(page)
    all.push(...items)
    if (items.length === 0 || all.length >= total) return all
  }
}

/** The stale memories of all pages. */
export async function allStale(
  pageOf: (page: number) => Promise<Schemas['StaleList']>,
): Promise<StaleMemories> {
  let more_stale = false
  const stale = await allPages(async (page) => {
    const list = await pageOf(page)
    more_stale = list.more_stale
    return { items: list.stale, total: list.total }
  })
  return { stale, more_stale }
}

type HistoryPage = Schemas['MemoryHistory']

/** The history with the statements of all its pages. */
export async function wholeHistory(pageOf: (page: number) => Promise<HistoryPage>): Promise<History> {
  let latest: HistoryPage | undefined
  const statements = await allPages(async (page) => {
    latest = await pageOf(page)
    return { items: latest.statements, total: latest.total }
  })
  if (latest === undefined) throw new Error('A list has at least one page.')
  const { memory_id, supersedes, superseded_by, spells } = latest
  const total = statements.length
  return { memory_id, statements: [...statements], supersedes, superseded_by, spells, total }
}
