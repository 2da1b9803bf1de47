import { listOf } from '../../groups.js'
import type { ContextId, MemoryId, Source } from '../../model.js'
import type { ClaimId } from '../fields.js'
import { BY_RANK, isWeaker, lastStated } from './rank.js'
import type { Claim, Places, Supersession } from './types.js'

/** What staleness asks of a store. */
export interface Bases {
  /** The causes already computed. Results are added, so that a shared foundation is walked once. */
  readonly causes?: Map<ClaimId, Causes>
  /** A field claim, or the claim of a memory as a whole. */
  whole(id: ClaimId): Claim | undefined
  /**
   * The latest supersession among the memories that the context held before a place, other than `except`; undefined
   * when it held none or one of them stands.
   */
  lossOf(contextId: ContextId, before: number, except: MemoryId): Supersession | undefined
}

/** The supersessions that make a claim stale: by the source that superseded, the latest place. Empty when not stale. */
export type Causes = Places

const NONE: Causes = {}

type Kind = 'extends' | 'reinforces'

/** A claim that another one builds on. `late` is the place where that was said, if the base was superseded by then. */
export interface Base {
  readonly id: ClaimId
  readonly kind: Kind
  readonly late?: number
}

/** The causes of these claims and of all that they build on, directly or through others: the least fixpoint. */
export function staleness(ids: Iterable<ClaimId>, bases: Bases): Map<ClaimId, Causes> {
  const causes = bases.causes ?? new Map<ClaimId, Causes>()
  const builders = new Map<ClaimId, { builder: Claim; base: Base }[]>()
  const queue: ClaimId[] = []
  const unvisited = [...ids]
  for (let id = unvisited.pop(); id !== undefined; id = unvisited.pop()) {
    const claim = causes.has(id) ? undefined : bases.whole(id)
    if (claim === undefined) continue
    const initial = claim.superseded === undefined ? ownCauses(claim, bases) : causeOf(claim.superseded)
    causes.set(claim.id, initial)
    if (Object.keys(initial).length > 0) queue.push(claim.id)
    for (const base of basesOf(claim)) {
      listOf(builders, base.id).push({ builder: claim, base })
      if (causes.has(base.id)) queue.push(base.id)
      else unvisited.push(base.id)
    }
  }
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    for (const { builder, base } of builders.get(id) ?? []) {
      const before = causes.get(builder.id) ?? {}
      const after = joined(before, surviving(causes.get(id) ?? {}, base, builder))
      if (after === before) continue
      causes.set(builder.id, after)
      queue.push(builder.id)
    }
  }
  return causes
}

export function isStale(id: MemoryId, bases: Bases): boolean {
  const claim = bases.whole(id)
  if (claim === undefined || claim.superseded !== undefined || buildsOnNothing(claim)) return false
  return Object.keys(staleness([id], bases).get(id) ?? {}).length > 0
}

function buildsOnNothing({ extends: extended, reinforces, wholes, lost }: Claim): boolean {
  return extended.length + reinforces.length + wholes.length + lost.length === 0
}

/** The bases of a standing claim; those of a superseded claim do not matter to its builders. */
export function basesOf(claim: Claim): Base[] {
  return claim.superseded === undefined ? foundationsOf(claim) : []
}

/** The bases of a claim, except those that only a weaker source than its own named. */
export function foundationsOf(claim: Claim): Base[] {
  return [
    ...claim.extends
      .filter(({ source }) => !isWeaker(source, claim))
      .map(({ source: _, ...base }) => ({ ...base, kind: 'extends' as const })),
    ...claim.reinforces.map((one) => ({ id: one.claim, kind: 'reinforces' as const })),
  ]
}

/** The causes later than the claim's last statement; for `reinforces`, its last statement by a source as strong as the cause. */
export function surviving(causes: Causes, { kind, late }: Omit<Base, 'id'>, claim: Claim): Causes {
  if (late !== undefined && lastStated(claim) === late) return causes
  const left: Partial<Record<Source, number>> = {}
  for (const source of BY_RANK) {
    const place = causes[source]
    const since = kind === 'reinforces' ? lastStated(claim, source) : lastStated(claim)
    if (place !== undefined && place > since) left[source] = place
  }
  return left
}

export function causeOf({ source, place }: Supersession): Causes {
  return { [source]: place }
}

function ownCauses(claim: Claim, bases: Bases): Causes {
  let causes: Causes = NONE
  for (const lost of claim.lost) causes = joined(causes, surviving(causeOf(lost), lost, claim))
  for (const { contextId, place } of claim.wholes) {
    const loss = bases.lossOf(contextId, place, claim.id)
    if (loss !== undefined) causes = joined(causes, surviving(causeOf(loss), { kind: 'extends' }, claim))
  }
  return causes
}

/** The later place of each source; `one` itself if `other` adds nothing. */
export function joined(one: Causes, other: Causes): Causes {
  const more = BY_RANK.filter((source) => (other[source] ?? -1) > (one[source] ?? -1))
  return more.length === 0
    ? one
    : { ...one, ...Object.fromEntries(more.map((source) => [source, other[source]])) }
}
