import type { GraphId } from '../../domain/model.js'
import type { GraphReader } from '../store.js'
import type { Session } from './connection/session.js'
import { contextMemories, contextRow, contextsOfType, contextTypes, memoryById } from './read/browse.js'
import { ContextFilterQuery } from './read/context-filter.js'
import { memoriesAt, memoriesById } from './read/memories.js'
import { neighboursOf } from './read/neighbours.js'
import { recordsAgainstMemories } from './read/records-against.js'
import { relationshipsOf } from './read/relations.js'
import { type GraphRow, toContext } from './schema/rows.js'
import { searchContexts } from './search/name-search.js'
import { retrieve, weigh } from './search/retrieve.js'

/** One graph in the snapshot of a session. The graph row was asked for before any question, and not waited for. */
export function createGraphReader(session: Session, graphId: GraphId, graph: Promise<GraphRow>): GraphReader {
  /** A missing graph wins over any other error, and over an answer that looks like that of an empty graph. */
  const unlessMissing = async <T>(answer: Promise<T>): Promise<T> => {
    const [found] = await Promise.allSettled([graph, answer])
    if (found.status === 'rejected') throw found.reason
    return answer
  }
  return {
    contextTypes: (paging) => unlessMissing(contextTypes(session, graphId, paging)),
    contextsOfType: (type, paging) => unlessMissing(contextsOfType(session, graphId, type, paging)),
    searchContexts: (query, paging) => unlessMissing(searchContexts(session, graphId, query, paging)),
    context: async (id) => toContext(await unlessMissing(contextRow(session, graphId, id))),
    contextMemories: (id, paging) => unlessMissing(contextMemories(session, graphId, id, paging)),
    relationships: (id, filter) => unlessMissing(relationshipsOf(session, graphId, id, filter)),
    memory: (id) => unlessMissing(memoryById(session, graphId, id)),
    retrieve: (retrieval) => unlessMissing(retrieve(session, graphId, graph, retrieval)),
    nearest: () => [],
    vectors: () => new Map(),
    unread: () => 0,
    weigh: (terms) => unlessMissing(weigh(session, graphId, graph, terms)),
    async latest(filter, limit) {
      const latest = new ContextFilterQuery(session, graphId, filter).latest(limit, graph)
      return memoriesAt(session, graphId, await unlessMissing(latest))
    },
    neighbours: (ids) => unlessMissing(neighboursOf(session, graphId, ids)),
    memories: (ids) => unlessMissing(memoriesById(session, graphId, ids)),
    recordsAgainst: (ids) => unlessMissing(recordsAgainstMemories(session, graphId, ids)),
  }
}
