import { splitContextId } from '../../domain/names.js'
import type { AnswerPorts } from '../../handlers/asking.js'
import { briefHandlers } from '../../handlers/brief.js'
import { surveyHandlers } from '../../handlers/survey.js'
import type { Store } from '../../store/store.js'
import { allPages, allStale, LARGEST_PAGE, MOST_CONTEXTS, type Survey, wholeHistory } from './api.js'
import { EMPTY, ROOT } from './root.js'

/** The reads that look over a graph, with the handlers of the service. */
export function localSurvey(store: Store, engine: AnswerPorts): Survey {
  const survey = surveyHandlers(store)
  const paged = (page: number) => ({ page, page_size: LARGEST_PAGE })
  return {
    graphIds: () => allPages((page) => store.graphs(undefined, { page, pageSize: LARGEST_PAGE })),
    graph: async (graph_id) => (await survey.getGraph({ ...EMPTY, path: { graph_id } })).body,
    async brief(graph_id, query) {
      const { getBrief } = briefHandlers(store, engine)
      return (await getBrief({ ...EMPTY, path: { graph_id }, query }, ROOT)).body
    },
    disputes: (graph_id) =>
      allPages(async (page) => {
        const request = { ...EMPTY, path: { graph_id }, query: paged(page) }
        const { body } = await survey.listDisputes(request, ROOT)
        return { items: body.disputes, total: body.total }
      }),
    stale: (graph_id) =>
      allStale(async (page) => {
        const request = { ...EMPTY, path: { graph_id }, query: paged(page) }
        return (await survey.listStale(request, ROOT)).body
      }),
    history: (graph_id, memory_id) =>
      wholeHistory(async (page) => {
        const request = { ...EMPTY, path: { graph_id, memory_id }, query: paged(page) }
        return (await survey.getMemoryHistory(request)).body
      }),
    async around(graph_id, context, depth) {
      const { type: context_type, name } = splitContextId(context)
      const path = { graph_id, context_type, name }
      return (await survey.getNeighbourhood({ ...EMPTY, path, query: { depth, limit: MOST_CONTEXTS } })).body
    },
  }
}
