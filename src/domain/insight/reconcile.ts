import type { Memory } from '../model.js'
import { type Ranked, worthwhile } from './rank.js'

export type Role = 'supports' | 'extends' | 'contradicts' | 'superseded'

export interface Evidence extends Ranked {
  readonly role: Role
  /** 0..1, beside the best of this answer. */
  readonly relevance: number
}

/** The memories an insight rests on, at most `limit`, the strongest first, and what each does for it. */
export function reconcile(ranked: readonly Ranked[], limit: number): Evidence[] {
  const best = ranked[0]?.score ?? 0
  const chosen = worthwhile(ranked, limit)
  const standing = chosen.map(({ memory }) => memory).filter(({ trust }) => trust.status === 'current')
  return chosen.map((item) => ({
    ...item,
    role: roleOf(item.memory, standing),
    relevance: item.score / best,
  }))
}

function roleOf(memory: Memory, standing: readonly Memory[]): Role {
  // What builds on something replaced is no more to be passed off as current than what was replaced.
  if (memory.trust.status !== 'current') return 'superseded'
  const stronger = standing.slice(0, standing.indexOf(memory))
  if (stronger.some((other) => disagree(memory, other))) return 'contradicts'
  return stronger.some((other) => isExtension(memory, other)) ? 'extends' : 'supports'
}

/** Does one dispute the other, with nothing to settle it? */
export function disagree(a: Memory, b: Memory): boolean {
  return a.trust.disputedBy.includes(b.memoryId) || b.trust.disputedBy.includes(a.memoryId)
}

function isExtension(memory: Memory, of: Memory): boolean {
  return memory.links.some(
    ({ kind, target }) => kind === 'extension' && (target === of.contextId || target === of.memoryId),
  )
}
