import type { LinkKind, Memory, MemoryId } from '../model.js'
import { type Found, type Ranked, relevanceOf, worthwhile } from './rank.js'

export type Role = 'supports' | 'extends' | 'contradicts' | 'superseded'

/** A memory that an answer rests on or takes into account. */
export interface Evidence extends Ranked {
  readonly role: Role
  /** 0..1, beside the best of this answer. */
  readonly relevance: number
  /** It was not replaced: it may be shown as what is known. */
  readonly stands: boolean
  /** The later records that contradict its context as a whole, so that any of them may mean it. */
  readonly remarks: readonly MemoryId[]
  /** Those of the remarks that are nearer to it than to any other memory of the context. */
  readonly contestedBy: readonly MemoryId[]
  /** What replaced that which it builds on, if it is stale. */
  readonly shakenBy?: MemoryId
}

/** As relevant is what is shown behind a memory because of it: the memory stays the answer. */
export const BEHIND = 0.99
/** How many that agree with the best are added to what fits by itself. */
const MAX_AGREEING = 3

/** The memories an answer rests on, at most `limit`, the strongest first, and what each does for it. */
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

/** What agrees with the best of what fits, and says so by a link, whatever the limit left out. */
function agreeing(fitting: readonly Ranked[], ranked: readonly Ranked[]): readonly Ranked[] {
  const best = fitting.find(({ memory }) => memory.trust.status !== 'superseded')?.memory
  if (best === undefined) return []
  return ranked
    .filter((item) => !fitting.includes(item))
    .filter(({ memory }) => isReinforcement(memory, best) || isReinforcement(best, memory))
    .slice(0, MAX_AGREEING)
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

function isExtension(memory: Memory, of: Memory): boolean {
  return names(memory, 'extension', of)
}

function isReinforcement(memory: Memory, of: Memory): boolean {
  return names(memory, 'reinforcement', of)
}

function names({ links }: Memory, wanted: LinkKind, of: Memory): boolean {
  return links.some(
    ({ kind, target }) => kind === wanted && (target === of.contextId || target === of.memoryId),
  )
}
