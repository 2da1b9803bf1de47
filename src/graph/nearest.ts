import { nearestOf } from '../domain/meaning/code-table.js'
import { memoryText } from '../domain/meaning/memory-text.js'
import type { MemoryId } from '../domain/model.js'
import type { ContextFilter, Near } from '../domain/search/knowledge.js'
import type { Contexts } from './contexts.js'
import type { Meanings } from './embeddings.js'
import type { Memories } from './memories.js'
import type { MemoryRow } from './rows.js'
import { type Moment, NOW } from './rows.js'
import { statementIn } from './views.js'

/** The parts of a graph that a search by meaning reads. */
interface GraphParts {
  readonly contexts: Contexts
  readonly rows: Memories
  readonly meanings: Meanings | undefined
}

/** The memories nearest to a vector, the nearest first. */
export function nearestRows({ vector, scope, limit }: Near, graph: GraphParts, moment: Moment): MemoryRow[] {
  const { rows, meanings } = graph
  if (meanings === undefined) return []
  const isWithin = scope && within(scope, graph)
  const admits =
    moment.place === NOW
      ? isWithin
      : (number: number) => number < moment.memories && (isWithin === undefined || isWithin(number))
  const numbers = meanings.candidates(vector, limit, admits)
  const candidates = numbers.flatMap((number) => {
    const memory = rows.list[number]
    if (memory === undefined) return []
    const found = meanings.vector(memory)
    return found === undefined ? [] : [{ row: number, memory, vector: found }]
  })
  return nearestOf(candidates, vector, limit).map(({ memory }) => memory)
}

/** A predicate for the memories in a scope. Precomputed, since it is called for nearly every memory. */
function within(scope: ContextFilter, { contexts, rows }: GraphParts): (number: number) => boolean {
  const isWithin = new Uint8Array(rows.list.length)
  for (const { memories } of contexts.within(scope)) for (const { number } of memories) isWithin[number] = 1
  return (number) => isWithin[number] === 1
}

/** The vectors of the given memories, as far as they have been read. */
export function vectorsOf(
  ids: readonly MemoryId[],
  { rows, meanings }: Pick<GraphParts, 'rows' | 'meanings'>,
): ReadonlyMap<MemoryId, Int8Array> {
  const found = rows.all(ids).map((row) => [row.id, meanings?.vector(row)] as const)
  return new Map(found.flatMap(([id, vector]) => (vector === undefined ? [] : [[id, vector] as const])))
}

/** A memory, by its number, with the text that is embedded. */
export interface TextToRead {
  readonly number: number
  readonly id: MemoryId
  readonly text: string
}

/** The text of a memory that is embedded. */
export function textToRead(row: MemoryRow): TextToRead {
  const { contextId, payload } = statementIn(row)
  return { number: row.number, id: row.id, text: memoryText(contextId, payload) }
}
