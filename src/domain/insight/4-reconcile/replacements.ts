import type { Memory, MemoryId } from '../../model.js'
import type { Knowledge } from '../../search/knowledge.js'
import type { Evidence } from './reconcile.js'

/** A chain of replacements longer than this is followed no further. */
const LONGEST_CHAIN = 100

/**
 * The evidence with what replaced it: before each superseded memory, the memories that stand in its place now and are
 * not among the evidence, whatever the limit or the filter left out.
 */
export async function withReplacements(
  knowledge: Pick<Knowledge, 'memories'>,
  evidence: readonly Evidence[],
): Promise<readonly Evidence[]> {
  const known = new Map(evidence.map(({ memory }) => [memory.memoryId, memory]))
  const told = new Set(evidence.filter(({ stands }) => stands).map(({ memory }) => memory.memoryId))
  const all: Evidence[] = []
  for (const item of evidence) {
    if (!item.stands)
      for (const memory of await standingFor(item.memory, known, knowledge))
        if (told.size < told.add(memory.memoryId).size)
          all.push({
            ...item,
            memory,
            foundBy: ['link'],
            stands: true,
            role: memory.trust.status === 'current' ? 'supports' : 'superseded',
          })
    all.push(item)
  }
  return all
}

/** The memories that stand in the place of a superseded one. */
export async function standingFor(
  { memoryId, trust }: Memory,
  known: Map<MemoryId, Memory>,
  knowledge: Pick<Knowledge, 'memories'>,
): Promise<Memory[]> {
  const seen = new Set([memoryId])
  const found: Memory[] = []
  let next = trust.supersededBy.filter((id) => !seen.has(id))
  for (let step = 0; next.length > 0 && step < LONGEST_CHAIN; step++) {
    const missing = next.filter((id) => !known.has(id))
    for (const memory of await knowledge.memories(missing)) known.set(memory.memoryId, memory)
    const reached = next.flatMap((id) => known.get(id) ?? [])
    for (const id of next) seen.add(id)
    found.push(...reached.filter((memory) => memory.trust.status !== 'superseded'))
    next = reached.flatMap((memory) => memory.trust.supersededBy).filter((id) => !seen.has(id))
  }
  return found
}
