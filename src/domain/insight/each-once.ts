import type { Memory, MemoryId } from '../model.js'
import type { Evidence } from './reconcile.js'

/** Puts a memory, and others beside it, into the evidence. */
interface Telling {
  /** Puts the memory itself. */
  put(item: Evidence): void
  /** Puts another memory, with at least this relevance: its own evidence, or new evidence linked to this memory. */
  beside(memory: Memory, relevance: number, as?: Pick<Evidence, 'role'>): void
}

/** The evidence in the order in which `tell` puts it, each memory once; `tell` is called for memories put beside others, too. */
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

/** Evidence for a memory that was not found by itself, with the score of the one that it is put beside. */
function linkedTo({ score, features }: Evidence, memory: Memory): Evidence {
  const role = memory.trust.status === 'current' ? 'supports' : 'superseded'
  return {
    ...{ memory, foundBy: ['link'], score, features, role },
    ...{ relevance: 0, stands: true, remarks: [], contestedBy: [] },
  }
}
