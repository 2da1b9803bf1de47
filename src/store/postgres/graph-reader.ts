import type { GraphId } from '../../domain/model.js'
import type { PresentReader } from '../store.js'
import type { Session } from './connection/session.js'
import { type Meanings, nearestMemories, vectorsOf } from './meanings/nearest.js'
import { type Reading, readingOf, unreadBy } from './meanings/reading.js'
import { contextMemories, contextRow, contextsOfType, contextTypes, memoryById } from './read/browse.js'
import { ContextFilterQuery } from './read/context-filter.js'
import { countsOf } from './read/counts.js'
import { openDisputes } from './read/disputes.js'
import { highlightsOf } from './read/highlights.js'
import { historyOf } from './read/history.js'
import { memoriesAt, memoriesById } from './read/memories.js'
import { neighbourhoodOf } from './read/neighbourhood.js'
import { neighboursOf } from './read/neighbours.js'
import { recordsAgainstMemories } from './read/records-against.js'
import { relationshipsOf } from './read/relations.js'
import { staleMemories } from './read/stale.js'
import { type GraphRow, toContext } from './schema/rows.js'
import { searchContexts } from './search/name-search.js'
import { retrieve, weigh } from './search/retrieve.js'

/**
 * One graph in the snapshot of a session. `found` was asked for before any question, and not waited for: it rejects when the
 * graph is missing. Without `meanings`, nothing is known of what memories mean.
 */
export function createGraphReader(
  session: Session,
  graphId: GraphId,
  found: Promise<unknown>,
  graph: () => Promise<GraphRow>,
  meanings: Meanings | undefined,
): PresentReader {
  /** A missing graph wins over any other error, and over an answer that looks like that of an empty graph. */
  const unlessMissing = async <T>(answer: Promise<T>): Promise<T> => {
    const [graph] = await Promise.allSettled([found, answer])
    if (graph.status === 'rejected') throw graph.reason
    return answer
  }
  let asked: Promise<Reading | undefined> | undefined
  /** How far the graph has been read is asked once: it is the same in the whole snapshot. */
  const reading = () => {
    asked ??= readingOf(session, graphId)
    return asked
  }
  const unread = async () => {
    if (meanings === undefined) return 0
    const [{ memories }, read] = await Promise.all([graph(), reading()])
    return unreadBy(meanings.meaning.identity, read, memories)
  }
  return {
    lastPlace: async () => (await graph()).last_place,
    contextTypes: (paging) => unlessMissing(contextTypes(session, graphId, paging)),
    contextsOfType: (type, paging) => unlessMissing(contextsOfType(session, graphId, type, paging)),
    searchContexts: (query, paging) => unlessMissing(searchContexts(session, graphId, query, paging)),
    context: async (id) => toContext(await unlessMissing(contextRow(session, graphId, id))),
    contextMemories: (id, paging) => unlessMissing(contextMemories(session, graphId, id, paging)),
    relationships: (id, filter) => unlessMissing(relationshipsOf(session, graphId, id, filter)),
    memory: (id) => unlessMissing(memoryById(session, graphId, id)),
    retrieve: (retrieval) => unlessMissing(retrieve(session, graphId, graph(), retrieval)),
    async nearest(near) {
      if (meanings === undefined) return []
      const read = await unlessMissing(reading())
      return nearestMemories(session, graphId, meanings, read, near)
    },
    vectors: (ids) =>
      meanings === undefined
        ? new Map()
        : unlessMissing(vectorsOf(session, graphId, meanings, reading(), ids)),
    unread,
    weigh: (terms) => unlessMissing(weigh(session, graphId, graph(), terms)),
    async latest(filter, limit) {
      const latest = new ContextFilterQuery(session, graphId, filter).latest(limit, graph())
      return memoriesAt(session, graphId, await unlessMissing(latest))
    },
    neighbours: (ids) => unlessMissing(neighboursOf(session, graphId, ids)),
    memories: (ids) => unlessMissing(memoriesById(session, graphId, ids)),
    recordsAgainst: (ids) => unlessMissing(recordsAgainstMemories(session, graphId, ids)),
    neighbourhood: (id, reach) => unlessMissing(neighbourhoodOf(session, graphId, id, graph(), reach)),
    disputes: (paging) => unlessMissing(openDisputes(session, graphId, paging)),
    stale: (paging) => unlessMissing(staleMemories(session, graphId, paging)),
    history: (id, paging) => unlessMissing(historyOf(session, graphId, id, paging)),
    highlights: (limit) => unlessMissing(highlightsOf(session, graphId, limit)),
    async counts() {
      const counted = unlessMissing(countsOf(session, graphId, graph()))
      return { ...(await counted), unread: await unread() }
    },
  }
}
