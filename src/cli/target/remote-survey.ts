import type { LoregraphClient } from '../../client/index.js'
import { splitContextId } from '../../domain/names.js'
import { allPages, allStale, LARGEST_PAGE, MOST_CONTEXTS, type Survey, wholeHistory } from './api.js'

/** Waits for an answer that says yes. */
type Ask = <T>(
  answer: Promise<{ readonly data?: T; readonly error?: unknown; readonly response: Response }>,
) => Promise<T>

/** The reads that look over a graph, over HTTP. */
export function remoteSurvey(client: LoregraphClient, ask: Ask): Survey {
  const paged = (page: number) => ({ page, page_size: LARGEST_PAGE })
  return {
    graphIds: () =>
      allPages(async (page) => {
        const { graphs, total } = await ask(client.GET('/v1/graphs', { params: { query: paged(page) } }))
        return { items: graphs.map(({ graph_id }) => graph_id), total }
      }),
    graph: (graph_id) => ask(client.GET('/v1/graphs/{graph_id}', { params: { path: { graph_id } } })),
    brief: (graph_id, query) =>
      ask(client.GET('/v1/graphs/{graph_id}/brief', { params: { path: { graph_id }, query } })),
    disputes: (graph_id) =>
      allPages(async (page) => {
        const params = { path: { graph_id }, query: paged(page) }
        const { disputes, total } = await ask(client.GET('/v1/graphs/{graph_id}/disputes', { params }))
        return { items: disputes, total }
      }),
    stale: (graph_id) =>
      allStale((page) => {
        const params = { path: { graph_id }, query: paged(page) }
        return ask(client.GET('/v1/graphs/{graph_id}/stale', { params }))
      }),
    history: (graph_id, memory_id) =>
      wholeHistory((page) => {
        const params = { path: { graph_id, memory_id }, query: paged(page) }
        return ask(client.GET('/v1/memories/{graph_id}/{memory_id}/history', { params }))
      }),
    around(graph_id, context, depth) {
      const { type: context_type, name } = splitContextId(context)
      const params = { path: { graph_id, context_type, name }, query: { depth, limit: MOST_CONTEXTS } }
      return ask(client.GET('/v1/contexts/{graph_id}/{context_type}/{name}/neighbourhood', { params }))
    },
  }
}
