import type { Memory, MemoryId } from '../model.js'
import type { Knowledge } from '../search/knowledge.js'
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

/** Puts a memory, and others beside it, into the evidence. */
interface Placement {
  /** Puts the memory itself. */
  put(item: Evidence): void
  /** Puts another memory, with at least this relevance: its own evidence, or new evidence linked to this memory. */
  beside(memory: Memory, relevance: number, as?: Pick<Evidence, 'role'>): void
}

/** The evidence in the order in which `place` puts it, each memory once; `place` is called for memories put beside others, too. */
export function eachOnce(
  evidence: readonly Evidence[],
  place: (item: Evidence, placement: Placement) => void,
): readonly Evidence[] {
  const known = new Map(evidence.map((item) => [item.memory.memoryId, item]))
  const seen = new Set<MemoryId>()
  const all: Evidence[] = []
  const visit = (item: Evidence) => {
    if (seen.size === seen.add(item.memory.memoryId).size) return
    place(item, {
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
