import type { Memory, MemoryId } from '../../model.js'
import type { Found } from '../3-rank/find.js'
import { type Ranked, relevanceOf, worthwhile } from '../3-rank/rank.js'

export type Role = 'supports' | 'extends' | 'contradicts' | 'superseded'

export interface Evidence extends Ranked {
  readonly role: Role
  /** 0..1, beside the best of this answer. */
  readonly relevance: number
  /** It was not replaced: it may be told as what is known. */
  readonly stands: boolean
  /** The latest record that contradicts something in its context, and may mean it. */
  readonly contestedBy?: MemoryId
  /** What replaced that which it builds on, if it is stale. */
  readonly shakenBy?: MemoryId
  /** It says the same as one that is told before it, but for one thing; when it was recorded beside that. */
  readonly differs?: 'earlier' | 'later'
  /** Another record says the same but for one thing, whether or not it is told. */
  readonly hasRival?: boolean
}

/** As relevant is what is told behind a memory because of it: the memory stays the answer. */
export const BEHIND = 0.99

/** The memories an insight rests on, at most `limit`, the strongest first, and what each does for it. */
export function reconcile({ ranked }: Pick<Found, 'ranked'>, limit: number): Evidence[] {
  const [best] = ranked
  if (best === undefined) return []
  const chosen = worthwhile(ranked, limit).map((item) => ({
    ...item,
    relevance: relevanceOf(item, best),
    stands: item.memory.trust.status !== 'superseded',
  }))
  const current = chosen.filter(({ memory }) => memory.trust.status === 'current').map(({ memory }) => memory)
  return chosen.map((item) => ({ ...item, role: roleOf(item.memory, current) }))
}

function roleOf(memory: Memory, current: readonly Memory[]): Role {
  // What has expired or builds on something replaced is no more to be passed off as current than what was replaced.
  if (!current.includes(memory)) return 'superseded'
  const stronger = current.slice(0, current.indexOf(memory))
  if (stronger.some((other) => disagree(memory, other))) return 'contradicts'
  return stronger.some((other) => isExtension(memory, other)) ? 'extends' : 'supports'
}

/** Does one dispute the other, with nothing to settle it? */
export function disagree(a: Memory, b: Memory): boolean {
  return a.trust.disputedBy.includes(b.memoryId) || b.trust.disputedBy.includes(a.memoryId)
}

/** Was one recorded to reinforce the other, or the context it is in? */
export function agrees({ links }: Memory, { contextId, memoryId }: Memory): boolean {
  return links.some(
    ({ kind, target }) => kind === 'reinforcement' && (target === contextId || target === memoryId),
  )
}

function isExtension(memory: Memory, of: Memory): boolean {
  return memory.links.some(
    ({ kind, target }) => kind === 'extension' && (target === of.contextId || target === of.memoryId),
  )
}
