import { nearestOf } from '../domain/meaning/code-table.js'
import type { MemoryId } from '../domain/model.js'
import type { ContextFilter, Near } from '../domain/search/knowledge.js'
import type { Graph } from './graph.js'
import type { MemoryRow } from './rows.js'
import { type Moment, NOW } from './rows.js'

/** The memories nearest to a vector, the nearest first. */
export function nearestRows({ vector, scope, limit }: Near, graph: Graph, moment: Moment): MemoryRow[] {
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
function within(
  scope: ContextFilter,
  { contexts, rows }: Pick<Graph, 'contexts' | 'rows'>,
): (number: number) => boolean {
  const isWithin = new Uint8Array(rows.list.length)
  for (const { memories } of contexts.within(scope)) for (const { number } of memories) isWithin[number] = 1
  return (number) => isWithin[number] === 1
}

/** The vectors of the given memories, as far as they have been read. */
export function vectorsOf(
  ids: readonly MemoryId[],
  { rows, meanings }: Pick<Graph, 'rows' | 'meanings'>,
): ReadonlyMap<MemoryId, Int8Array> {
  const found = rows.all(ids).map((row) => [row.id, meanings?.vector(row)] as const)
  return new Map(found.flatMap(([id, vector]) => (vector === undefined ? [] : [[id, vector] as const])))
}
