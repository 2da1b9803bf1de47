import type { GraphId } from '../domain/model.js'
import type { Knowledge } from '../domain/search/knowledge.js'
import type { Store } from '../store/store.js'

/** One graph of a store, as the engine sees it. */
export function knowledgeOf(store: Store, graphId: GraphId): Knowledge {
  return {
    retrieve: (retrieval) => store.retrieve(graphId, retrieval),
    latest: (scope, limit) => store.latest(graphId, scope, limit),
    weigh: (terms) => store.weigh(graphId, terms),
    neighbours: (memoryIds) => store.neighbours(graphId, memoryIds),
  }
}
