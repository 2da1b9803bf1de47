import type { Neighbour } from '../knowledge.js'
import type { Memory, MemoryId } from '../model.js'
import type { Ranked } from './rank.js'

export type Role = 'supports' | 'extends' | 'contradicts' | 'superseded'

export interface Evidence {
  readonly memory: Memory
  readonly role: Role
  /** 0..1, beside the best of this answer. */
  readonly relevance: number
  readonly coverage: number
}

/** How much of a memory's relevance passes to the one that contradicts it, and to others linked to it. */
const TO_CONTRADICTION = 0.95
const TO_OTHERS = 0.3
/** Below this share of the best score a memory is noise. */
const FLOOR = 0.25

/**
 * The memories an insight rests on, each with its role, strongest first and at most `limit`. What replaces or disputes
 * a relevant memory is relevant itself, whatever its words are.
 */
export function reconcile(
  ranked: readonly Ranked[],
  neighbours: readonly Neighbour[],
  limit: number,
): Evidence[] {
  const best = ranked[0]?.score ?? 0
  const weights = new Map<MemoryId, { memory: Memory; relevance: number; coverage: number }>()
  for (const { memory, score, coverage } of ranked)
    if (score >= FLOOR * best) weights.set(memory.memoryId, { memory, relevance: score / best, coverage })
  for (const { onto, kind, memory } of neighbours) {
    const from = weights.get(onto)
    if (from === undefined) continue
    const relevance = from.relevance * (kind === 'contradiction' ? TO_CONTRADICTION : TO_OTHERS)
    if (relevance < FLOOR || relevance <= (weights.get(memory.memoryId)?.relevance ?? 0)) continue
    weights.set(memory.memoryId, { memory, relevance, coverage: from.coverage })
  }
  const chosen = [...weights.values()].sort((a, b) => b.relevance - a.relevance).slice(0, limit)
  return withRoles(chosen, neighbours)
}

function withRoles(chosen: readonly Omit<Evidence, 'role'>[], neighbours: readonly Neighbour[]): Evidence[] {
  const standing = chosen.filter(({ memory }) => memory.trust.status !== 'superseded')
  const lead = standing[0]?.memory
  const disputed = new Set(standing.flatMap(({ memory }) => memory.trust.disputedBy))
  return chosen.map((item) => {
    const { memory } = item
    if (memory.trust.status === 'superseded') return { ...item, role: 'superseded' }
    if (
      memory !== lead &&
      (disputed.has(memory.memoryId) || lead?.trust.disputedBy.includes(memory.memoryId))
    )
      return { ...item, role: 'contradicts' }
    const extending = neighbours.some(
      ({ onto, kind, memory: by }) =>
        kind === 'extension' && onto === lead?.memoryId && by.memoryId === memory.memoryId,
    )
    return { ...item, role: extending ? 'extends' : 'supports' }
  })
}
