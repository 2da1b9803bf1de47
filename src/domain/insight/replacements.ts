import type { Memory, MemoryId } from '../model.js'
import type { Knowledge } from '../search/knowledge.js'
import { eachOnce } from './each-once.js'
import type { Evidence } from './reconcile.js'

/** A chain of replacements longer than this is followed no further. */
const LONGEST_CHAIN = 100

/**
 * The evidence with what replaced it: before each superseded memory, the memories that stand in its place now, whatever the
 * limit or the filter left out, and at least as relevant as that one: what it was asked for, they answer.
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

/** The memories that stand in the place of a superseded one. */
export function standingFor(
  { memoryId, trust }: Memory,
  known: Map<MemoryId, Memory>,
  knowledge: Pick<Knowledge, 'memories'>,
): Memory[] {
  const seen = new Set([memoryId])
  const found: Memory[] = []
  let next = trust.supersededBy.filter((id) => !seen.has(id))
  for (let step = 0; next.length > 0 && step < LONGEST_CHAIN; step++) {
    const missing = next.filter((id) => !known.has(id))
    for (const memory of knowledge.memories(missing)) known.set(memory.memoryId, memory)
    const reached = next.flatMap((id) => known.get(id) ?? [])
    for (const id of next) seen.add(id)
    found.push(...reached.filter((memory) => memory.trust.status !== 'superseded'))
    next = reached.flatMap((memory) => memory.trust.supersededBy).filter((id) => !seen.has(id))
  }
  return found
}
