import type { Memory, MemoryId } from '../model.js'
import type { Knowledge } from '../search/knowledge.js'
import { eachOnce } from './each-once.js'
import type { Evidence } from './reconcile.js'

/** How many replacements in a row are followed. */
const MAX_CHAIN = 100

/**
 * The evidence with the memories that replaced others: before each superseded memory, the standing ones that replaced it, at
 * least as relevant, regardless of limit and filter: they answer what the superseded one was found for.
 */
export function withReplacements(
  knowledge: Pick<Knowledge, 'memories'>,
  evidence: readonly Evidence[],
): readonly Evidence[] {
  const known = new Map(evidence.map(({ memory }) => [memory.memoryId, memory]))
  const standing = new Map<MemoryId, readonly Memory[]>()
  for (const { memory, stands } of evidence)
    if (!stands) standing.set(memory.memoryId, standingFor(memory, known, knowledge))
  return eachOnce(evidence, (item, { put, beside }) => {
    for (const memory of standing.get(item.memory.memoryId) ?? []) beside(memory, item.relevance)
    put(item)
  })
}

/** The standing memories that replaced a superseded one, directly or through others. */
export function standingFor(
  { memoryId, trust }: Memory,
  known: Map<MemoryId, Memory>,
  knowledge: Pick<Knowledge, 'memories'>,
): Memory[] {
  const seen = new Set([memoryId])
  const found: Memory[] = []
  let next = trust.supersededBy.filter((id) => !seen.has(id))
  for (let step = 0; next.length > 0 && step < MAX_CHAIN; step++) {
    const missing = next.filter((id) => !known.has(id))
    for (const memory of knowledge.memories(missing)) known.set(memory.memoryId, memory)
    const reached = next.flatMap((id) => known.get(id) ?? [])
    for (const id of next) seen.add(id)
    found.push(...reached.filter((memory) => memory.trust.status !== 'superseded'))
    next = reached.flatMap((memory) => memory.trust.supersededBy).filter((id) => !seen.has(id))
  }
  return found
}
