import type { components, LoregraphClient } from '../../client/index.js'
import type { PastEvent } from '../../domain/events/recording.js'
import type { FieldError } from '../../domain/failure.js'
import type { ContextId, GraphId, MemoryId } from '../../domain/model.js'
import { splitContextId } from '../../domain/names.js'
import { EXITS, exitCodeOf, exitOf, Stop } from '../output/exits.js'

type Schemas = components['schemas']
export type Key = Schemas['Key']
export type KeyRequest = Schemas['KeyRequest']
export type Insight = Schemas['Insight']
type Question = Schemas['InsightRequest']
export type Memory = Schemas['Memory']
export type GraphDetail = Schemas['GraphDetail']
export type History = Schemas['MemoryHistory']
export type Neighbourhood = Schemas['Neighbourhood']

/** What a command asks of a running service, or of a data folder, where the handlers of the service answer it. */
export interface Api extends ReturnType<typeof operations> {
  /** All or nothing, also when the events end in an error, which it then rejects with. */
  importGraph(
    graphId: GraphId,
    events: AsyncIterable<readonly PastEvent[]>,
  ): Promise<Schemas['ImportedGraph']>
  close(): Promise<void>
}

/** A request that was refused, with what is wrong with its fields. */
export class Refusal extends Stop {
  readonly errors: readonly FieldError[]

  constructor(code: string, detail: string, errors: readonly FieldError[] = []) {
    super(exitOf(code), detail)
    this.errors = errors
  }
}

export interface Answer<T> {
  readonly data?: T
  readonly error?: unknown
  readonly response: Response
}

/** The data of an answer; rejects when there is none. */
type Ask = <T>(answer: Promise<Answer<T>>) => Promise<T>

/** The largest page, and the most contexts of a neighbourhood, that the contract allows. */
export const LARGEST_PAGE = 500
export const MAX_CONTEXTS = 1000

export function operations(client: LoregraphClient, ask: Ask) {
  return {
    createKey: (body: KeyRequest) => ask(client.POST('/v1/keys', { body })),
    async keys() {
      const all = await allPages('keys', (query) => ask(client.GET('/v1/keys', { params: { query } })))
      return all.keys
    },
    async revokeKey(key_id: string, with_descendants = false): Promise<void> {
      const params = { path: { key_id }, query: { with_descendants } }
      await ask(client.DELETE('/v1/keys/{key_id}', { params }))
    },
    insight: (body: Question) => ask(client.POST('/v1/memories/insights', { body })),
    /** A memory; undefined if it is gone by now. */
    memory(graph_id: GraphId, memory_id: MemoryId): Promise<Memory | undefined> {
      const params = { path: { graph_id, memory_id } }
      return ask(client.GET('/v1/memories/{graph_id}/{memory_id}', { params })).catch(unlessGone)
    },
    /** Whether it is there; false also where the secret may not look. */
    hasGraph(graph_id: GraphId): Promise<boolean> {
      const params = { path: { graph_id } }
      const found = ask(client.GET('/v1/contexts/{graph_id}', { params })).then(() => true)
      return found.catch((error: unknown) => {
        const code = exitCodeOf(error)
        if (code === EXITS.noInput.code || code === EXITS.noPermission.code) return false
        throw error
      })
    },
    async graphIds(): Promise<readonly GraphId[]> {
      const all = await allPages('graphs', (query) => ask(client.GET('/v1/graphs', { params: { query } })))
      return all.graphs.map(({ graph_id }) => graph_id)
    },
    graph: (graph_id: GraphId) =>
      ask(client.GET('/v1/graphs/{graph_id}', { params: { path: { graph_id } } })),
    brief(graph_id: GraphId, query: { readonly task?: string; readonly max_chars: number }) {
      return ask(client.GET('/v1/graphs/{graph_id}/brief', { params: { path: { graph_id }, query } }))
    },
    disputes: (graph_id: GraphId) =>
      allPages('disputes', (query) =>
        ask(client.GET('/v1/graphs/{graph_id}/disputes', { params: { path: { graph_id }, query } })),
      ),
    stale: (graph_id: GraphId) =>
      allPages('stale', (query) =>
        ask(client.GET('/v1/graphs/{graph_id}/stale', { params: { path: { graph_id }, query } })),
      ),
    /** With all statements. */
    async history(graph_id: GraphId, memory_id: MemoryId): Promise<Omit<History, keyof Paging>> {
      const path = { graph_id, memory_id }
      const { page, page_size, ...history } = await allPages('statements', (query) =>
        ask(client.GET('/v1/memories/{graph_id}/{memory_id}/history', { params: { path, query } })),
      )
      return history
    },
    /** As many contexts as one answer holds. */
    around(graph_id: GraphId, context: ContextId, depth: number) {
      const { type: context_type, name } = splitContextId(context)
      const params = { path: { graph_id, context_type, name }, query: { depth, limit: MAX_CONTEXTS } }
      return ask(client.GET('/v1/contexts/{graph_id}/{context_type}/{name}/neighbourhood', { params }))
    },
    async exportGraph(graph_id: GraphId, as_of?: string): Promise<AsyncIterable<Uint8Array>> {
      const params = { path: { graph_id }, ...(as_of !== undefined && { query: { as_of } }) }
      const bytes = await ask(client.GET('/v1/graphs/{graph_id}/events', { params, parseAs: 'stream' }))
      return bytes ?? ReadableStream.from([])
    },
  }
}

/** What was erased since it was listed is passed over. */
export function unlessGone(error: unknown): undefined {
  if (exitCodeOf(error) !== EXITS.noInput.code) throw error
}

interface Paging {
  readonly page: number
  readonly page_size: number
}

/** The last page of a list, with the items of all pages. */
async function allPages<
  Name extends string,
  Page extends { readonly total: number } & Readonly<Record<Name, readonly unknown[]>>,
>(name: Name, pageOf: (query: Paging) => Promise<Page>): Promise<Page> {
  const all: unknown[] = []
  for (let page = 0; ; page++) {
    const last = await pageOf({ page, page_size: LARGEST_PAGE })
    all.push(...last[name])
    if (last[name].length === 0 || all.length >= last.total) return { ...last, [name]: all }
  }
}
