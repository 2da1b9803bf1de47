import type { LinkKind, Memory, MemoryId } from '../model.js'
import { type Found, type Ranked, relevanceOf, worthwhile } from './rank.js'

type Role = 'supports' | 'extends' | 'contradicts' | 'superseded'

/** A memory that an answer rests on or takes into account. */
export interface Evidence extends Ranked {
  readonly role: Role
  /** 0..1, relative to the best of this answer. */
  readonly relevance: number
  /** It is not superseded: it may be shown as an answer. */
  readonly stands: boolean
  /** The later records that contradict its context as a whole; each may mean this memory. */
  readonly remarks: readonly MemoryId[]
  /** The remarks that are nearer to it than to any other memory of the context. */
  readonly contestedBy: readonly MemoryId[]
  /** What replaced that which it builds on, if it is stale. */
  readonly staleBecause?: MemoryId
}

/** The relevance of a memory that is shown because of another one, relative to that one, which stays the answer. */
export const BEHIND = 0.99
/** How many memories that agree with the best one are added. */
const MAX_AGREEING = 3

/** The memories that an answer rests on, at most `limit`, the best first, with the role of each. */
export function reconcile({ ranked }: Found, limit: number): Evidence[] {
  const [best] = ranked
  if (best === undefined) return []
  const fitting = worthwhile(ranked, limit)
  const chosen = [...fitting, ...agreeing(fitting, ranked)].map((item) => ({
    ...item,
    relevance: relevanceOf(item, best),
    stands: item.memory.trust.status !== 'superseded',
    remarks: [],
    contestedBy: [],
  }))
  const current = chosen.filter(({ memory }) => memory.trust.status === 'current').map(({ memory }) => memory)
  return chosen.map((item) => ({ ...item, role: roleOf(item.memory, current) }))
}

/** Memories linked with the best standing one by a reinforcement, regardless of the limit. */
function agreeing(fitting: readonly Ranked[], ranked: readonly Ranked[]): readonly Ranked[] {
  const best = fitting.find(({ memory }) => memory.trust.status !== 'superseded')?.memory
  if (best === undefined) return []
  return ranked
    .filter((item) => !fitting.includes(item))
    .filter(({ memory }) => names(memory, 'reinforcement', best) || names(best, 'reinforcement', memory))
    .slice(0, MAX_AGREEING)
}

function roleOf(memory: Memory, current: readonly Memory[]): Role {
  // Like replaced memories, expired, planned and stale ones must not be passed off as current.
  if (!current.includes(memory)) return 'superseded'
  const stronger = current.slice(0, current.indexOf(memory))
  if (stronger.some((other) => disagree(memory, other))) return 'contradicts'
  return stronger.some((other) => names(memory, 'extension', other)) ? 'extends' : 'supports'
}

/** Are two memories in open contradiction? */
export function disagree(a: Memory, b: Memory): boolean {
  return a.trust.disputedBy.includes(b.memoryId) || b.trust.disputedBy.includes(a.memoryId)
}

function names({ links }: Memory, wanted: LinkKind, of: Memory): boolean {
  return links.some(
    ({ kind, target }) => kind === wanted && (target === of.contextId || target === of.memoryId),
  )
}
