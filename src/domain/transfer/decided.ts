import { isNothing } from '../events/recording.js'
import type { MemoryId } from '../model.js'
import {
  type Decisions,
  type Lost,
  NOTHING_DECIDED,
  type Opposition,
  type Unresolved,
} from '../trust/claims/types.js'

/** What was decided of an event, as a line of an export has it: lists that are empty are left out. */
export interface WireDecided {
  readonly bears?: readonly (readonly MemoryId[])[]
  readonly opposes?: readonly Opposition[]
  readonly reinforces?: readonly { readonly memory_id: MemoryId; readonly effect: 'reinforces' | 'noted' }[]
  readonly returns?: readonly { readonly memory_id: MemoryId; readonly disputed: boolean }[]
  readonly against?: readonly string[]
  readonly wholes?: readonly string[]
  readonly lost?: readonly Lost[]
  readonly unresolved?: readonly Unresolved[]
}

export function toDecided(decisions: Decisions): WireDecided | undefined {
  if (isNothing(decisions)) return undefined
  const { bears, opposes, reinforces, returns, against, wholes, lost, unresolved } = decisions
  const lists = {
    bears,
    opposes: opposes.map(({ by, against: other, effect }) => ({ by, against: other, effect })),
    reinforces: reinforces.map(({ claim, effect }) => ({ memory_id: claim, effect })),
    returns: returns.map(({ claim, disputed }) => ({ memory_id: claim, disputed })),
    against,
    wholes,
    lost: lost.map(({ place, source, kind }) => ({ place, source, kind })),
    unresolved: unresolved.map(({ link, candidates }) => ({ link, candidates })),
  }
  return withoutEmpty(lists)
}

export function withoutEmpty<List extends readonly unknown[]>(
  lists: Readonly<Record<string, List>>,
): Record<string, List> {
  return Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0))
}

export function fromDecided(decided: WireDecided | undefined): Decisions {
  if (decided === undefined) return NOTHING_DECIDED
  const { reinforces = [], returns = [], ...lists } = decided
  return {
    ...NOTHING_DECIDED,
    ...lists,
    reinforces: reinforces.map(({ memory_id, effect }) => ({ claim: memory_id, effect })),
    returns: returns.map(({ memory_id, disputed }) => ({ claim: memory_id, disputed })),
  }
}
