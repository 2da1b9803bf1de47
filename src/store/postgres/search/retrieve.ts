import type { GraphId } from '../../../domain/model.js'
import { inverseDocumentFrequency } from '../../../domain/search/bm25.js'
import type { Retrieval, Retrieved } from '../../store.js'
import type { Session } from '../connection/session.js'
import { memoriesAt } from '../read/memories.js'
import type { GraphRow } from '../schema/rows.js'
import { termKey } from './postings.js'
import { search } from './top-k.js'

const HOLDING = {
  name: 'terms-holding',
  text: 'SELECT term, holding FROM terms WHERE graph_id = $1 AND term = ANY($2)',
}

/** For each term, its inverse document frequency in the graph. */
export async function weigh(
  session: Session,
  graphId: GraphId,
  graph: Promise<GraphRow>,
  terms: readonly string[],
): Promise<Map<string, number>> {
  const holding = await holdingOf(session, graphId, terms)
  return toIdf(await graph, terms, holding)
}

/** In how many memories each of the terms occurs; those that occur in none are left out. */
async function holdingOf(session: Session, graphId: GraphId, terms: readonly string[]) {
  const byKey = new Map(terms.map((term) => [termKey(term), term]))
  const rows =
    terms.length === 0
      ? []
      : await session.rows<{ term: string; holding: number }>(HOLDING, [graphId, [...byKey.keys()]])
  return new Map(rows.map((row) => [byKey.get(row.term) ?? row.term, row.holding]))
}

function toIdf(graph: GraphRow, terms: readonly string[], holding: ReadonlyMap<string, number>) {
  return new Map(
    terms.map((term) => [term, inverseDocumentFrequency(graph.memories, holding.get(term) ?? 0)]),
  )
}

export async function retrieve(
  session: Session,
  graphId: GraphId,
  known: Promise<GraphRow>,
  { terms, scope, limit }: Retrieval,
): Promise<Retrieved> {
  const holding = await holdingOf(session, graphId, terms)
  const graph = await known
  const idf = toIdf(graph, terms, holding)
  const averageLength = graph.total_length / Math.max(1, graph.memories)
  const held = terms.flatMap((term) => {
    const count = holding.get(term) ?? 0
    return count === 0 ? [] : [{ term, key: termKey(term), holding: count, idf: idf.get(term) ?? 0 }]
  })
  const hits = await search(session, graphId, { terms: held, scope, limit, averageLength })
  const memories = await memoriesAt(
    session,
    graphId,
    hits.map(({ document }) => document),
  )
  const found = memories.map((memory, i) => ({
    memory,
    bm25: hits[i]?.score ?? 0,
    matched: hits[i]?.matched ?? [],
  }))
  return { found, idf, averageLength, memoryCount: graph.memories, newestAt: graph.newest_at }
}
