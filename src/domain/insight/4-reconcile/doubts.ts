import type { Memory } from '../../model.js'
import type { Found } from '../3-rank/find.js'
import type { Evidence } from './reconcile.js'

/**
 * `disputed`: an open contradiction. `unconfirmed`: one settled by a lone observation. `basis`: one below the lead.
 * `differing`: others say the same but for one thing.
 */
export type Doubt = 'disputed' | 'unconfirmed' | 'basis' | 'differing'

/** Why evidence that stands may yet fall. */
export function doubtsAbout({ pool }: Found, evidence: readonly Evidence[], lead: Evidence): Doubt[] {
  const memories = pool.entries.map(({ memory }) => memory)
  const doubts: Doubt[] = []
  if (evidence.some(isDisputed)) doubts.push('disputed')
  if (evidence.some(({ memory }) => isSettledByObservation(memory, memories))) doubts.push('unconfirmed')
  if (buildsOnDisputed(lead.memory, memories)) doubts.push('basis')
  if (lead.hasRival === true) doubts.push('differing')
  return doubts
}

function isDisputed({ memory, role, stands }: Evidence): boolean {
  return stands && (memory.trust.disputedBy.length > 0 || role === 'contradicts')
}

/** A decision or a fact replaces what it contradicts; one observation against another only came later. */
function isSettledByObservation({ trust }: Memory, others: readonly Memory[]): boolean {
  if (trust.supersededBy.length === 0) return false
  const replacing = others.filter(({ memoryId }) => trust.supersededBy.includes(memoryId))
  return (
    replacing.length > 0 &&
    replacing.every(({ eventKind, trust: { agreement } }) => eventKind === 'observation' && agreement === 0)
  )
}

/** What has been replaced below a memory makes it stale; what is disputed there leaves it open. */
function buildsOnDisputed({ memoryId, links }: Memory, others: readonly Memory[]): boolean {
  const bases = new Set(links.filter(({ kind }) => kind === 'extension').map(({ target }) => target))
  if (bases.size === 0) return false
  return others.some(
    (other) =>
      other.memoryId !== memoryId &&
      other.trust.disputedBy.length > 0 &&
      (bases.has(other.memoryId) || bases.has(other.contextId)),
  )
}
