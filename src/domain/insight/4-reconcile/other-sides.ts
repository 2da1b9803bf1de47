import type { Memory, MemoryId } from '../../model.js'
import type { Knowledge } from '../../search/knowledge.js'
import type { Evidence } from './reconcile.js'

/** How many other sides of a memory are told: as many as lower its confidence. */
const MOST_SIDES = 3

/**
 * The evidence with the other sides of what is disputed: behind each memory, the latest of those in open contradiction
 * with it that are not among the evidence, whatever the limit or the filter left out.
 */
export async function withOtherSides(
  knowledge: Pick<Knowledge, 'memories'>,
  evidence: readonly Evidence[],
): Promise<readonly Evidence[]> {
  const told = new Set(evidence.map(({ memory }) => memory.memoryId))
  const missing = evidence.flatMap(({ memory }) => missingOf(memory, told))
  if (missing.length === 0) return evidence
  const found = new Map((await knowledge.memories(missing)).map((memory) => [memory.memoryId, memory]))
  return evidence.flatMap((item) => {
    const sides = missingOf(item.memory, told).flatMap((id) => found.get(id) ?? [])
    for (const { memoryId } of sides) told.add(memoryId)
    return [
      item,
      ...sides.map((memory): Evidence => ({ ...item, memory, foundBy: ['link'], role: 'contradicts' })),
    ]
  })
}

function missingOf({ trust }: Memory, told: ReadonlySet<MemoryId>): readonly MemoryId[] {
  return trust.disputedBy.slice(-MOST_SIDES).filter((id) => !told.has(id))
}
