import type { Memory, MemoryId } from '../model.js'
import type { Evidence } from './reconcile.js'

/** Where a memory of the evidence comes to stand, and what is told with it. */
export interface Telling {
  /** The memory itself. */
  put(item: Evidence): void
  /** Another one, at least so relevant, as what it was found for or as what belongs to this one. */
  beside(memory: Memory, relevance: number, as?: Pick<Evidence, 'role'>): void
}

/** The evidence as `tell` puts it, each memory once, wherever it comes first; what is told beside one is told in its turn. */
export function eachOnce(
  evidence: readonly Evidence[],
  tell: (item: Evidence, telling: Telling) => void,
): readonly Evidence[] {
  const known = new Map(evidence.map((item) => [item.memory.memoryId, item]))
  const seen = new Set<MemoryId>()
  const all: Evidence[] = []
  const visit = (item: Evidence) => {
    if (seen.size === seen.add(item.memory.memoryId).size) return
    tell(item, {
      put: (one) => all.push(one),
      beside(memory, relevance, as) {
        const own = known.get(memory.memoryId) ?? linkedTo(item, memory)
        visit({ ...own, ...as, relevance: Math.max(own.relevance, relevance) })
      },
    })
  }
  for (const item of evidence) visit(item)
  return all
}

/** What was not found by itself is as relevant as what says so. */
function linkedTo({ score, features }: Evidence, memory: Memory): Evidence {
  const role = memory.trust.status === 'current' ? 'supports' : 'superseded'
  return {
    ...{ memory, foundBy: ['link'], score, features, role },
    ...{ relevance: 0, stands: true, remarks: [], contestedBy: [] },
  }
}
