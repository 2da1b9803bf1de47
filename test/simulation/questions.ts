import { Failure } from '../../src/domain/failure.js'
import type { GraphReader, PresentReader } from '../../src/graph/reader.js'

const ALL = { page: 0, pageSize: 1_000 }

/** What is asked of a graph; the answer is compared as JSON. */
export type Question = (graph: PresentReader) => Promise<unknown>

/** Everything that is recorded, with what is known of it. */
export async function list(graph: GraphReader): Promise<unknown> {
  const types = graph.contextTypes(ALL)
  const contexts = []
  for (const { contextType } of types.items)
    for (const context of graph.contextsOfType(contextType, ALL).items)
      contexts.push({ context, memories: graph.contextMemories(context.contextId, ALL) })
  return { types, contexts, lastPlace: graph.lastPlace() }
}

export function search(...terms: string[]): Question {
  return async (graph) => {
    const { found, idf } = graph.retrieve({ terms, limit: 10 })
    return { found, idf: [...idf] }
  }
}

export const survey: Question = async (graph) => ({
  disputes: await graph.disputes(ALL),
  stale: await graph.stale(ALL),
  counts: await graph.counts(),
  highlights: await graph.highlights(5),
})

export const around: Question = async (graph) => {
  const found = []
  for (const { contextType } of graph.contextTypes(ALL).items)
    for (const { contextId } of graph.contextsOfType(contextType, ALL).items) {
      const { items } = graph.contextMemories(contextId, ALL)
      const histories = []
      for (const { memoryId } of items) histories.push(graph.history(memoryId, ALL))
      found.push({
        contextId,
        relationships: graph.relationships(contextId, {}),
        neighbourhood: graph.neighbourhood(contextId, { depth: 2, limit: 10 }),
        neighbours: graph.neighbours(items.map(({ memoryId }) => memoryId)),
        histories,
      })
    }
  return found
}

/** The answer as text; a refusal by its code. */
export async function answerOf(ask: () => Promise<unknown>): Promise<string> {
  try {
    return JSON.stringify(await ask()) ?? 'nothing'
  } catch (error) {
    if (error instanceof Failure && error.code !== 'storage_unavailable') return error.code
    throw error
  }
}
