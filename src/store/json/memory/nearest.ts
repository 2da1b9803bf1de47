import { nearestOf } from '../../../domain/meaning/code-table.js'
import { memoryText } from '../../../domain/meaning/memory-text.js'
import type { MemoryId } from '../../../domain/model.js'
import type { Near } from '../../../domain/search/knowledge.js'
import type { TextToRead } from '../meanings/meaning-reader.js'
import type { Meanings } from '../meanings/meanings.js'
import type { Memories } from './memories.js'
import type { MemoryRow } from './rows.js'
import { saidBy } from './views.js'

/** The parts of a graph that say what its memories mean. */
interface Meant {
  readonly rows: Memories
  readonly meanings: Meanings | undefined
}

/** The memories nearest to a vector, the nearest first. */
export function nearestRows({ vector, scope, limit }: Near, { rows, meanings }: Meant): MemoryRow[] {
  if (meanings === undefined) return []
  const numbers = meanings.candidates(vector, limit, scope && rows.within(scope))
  const candidates = numbers.flatMap((number) => {
    const memory = rows.list[number]
    if (memory === undefined) return []
    const theirs = meanings.vector(memory)
    return theirs === undefined ? [] : [{ row: number, memory, vector: theirs }]
  })
  return nearestOf(candidates, vector, limit).map(({ memory }) => memory)
}

/** The vectors of those of the memories that have been read. */
export function vectorsOf(
  ids: readonly MemoryId[],
  { rows, meanings }: Meant,
): ReadonlyMap<MemoryId, Int8Array> {
  const found = rows.all(ids).map((row) => [row.id, meanings?.vector(row)] as const)
  return new Map(found.flatMap(([id, vector]) => (vector === undefined ? [] : [[id, vector] as const])))
}

/** What is read of a memory. */
export function textToRead(row: MemoryRow): TextToRead {
  const { contextId, payload } = saidBy(row)
  return { number: row.number, id: row.id, text: memoryText(contextId, payload) }
}
