import { type ContextId, type MemoryId, SOURCES } from '../../model.js'
import { type Bases, type Causes, causeOf, foundationsOf, staleness, surviving } from '../claims/staleness.js'
import type { Claim, Lost } from '../claims/types.js'
import { type ClaimId, memoryOf } from '../fields.js'

/** The supersessions of erased memories that claims built on and were not stated since. Works in small steps. */
export function* lostWith(
  erased: ReadonlySet<MemoryId>,
  claims: ReadonlySet<MemoryId>,
  past: Past,
): Generator<void, Map<MemoryId, Lost[]>> {
  const causes = new Map<ClaimId, Causes>()
  const bases = { whole: past.whole.bind(past), lossOf: past.lossOf.bind(past), causes }
  for (const id of claims) {
    staleness([id], bases)
    yield
  }
  const lost = new Map<MemoryId, Lost[]>()
  for (const id of claims) {
    const claim = erased.has(id) ? undefined : past.whole(id)
    if (claim === undefined) continue
    yield
    const found = [
      ...foundationsOf(claim).flatMap(({ id: base, kind }) =>
        erased.has(memoryOf(base)) ? lostOf(surviving(causes.get(base) ?? {}, { kind }, claim), kind) : [],
      ),
      ...emptied(claim, erased, past),
    ]
    if (found.length > 0) lost.set(id, found)
  }
  return lost
}

/** The loss of each context that the claim extends as a whole and that the erasure empties: an empty context makes nothing stale. */
function emptied(claim: Claim, erased: ReadonlySet<MemoryId>, past: Past): Lost[] {
  return claim.wholes.flatMap(({ contextId, place }) => {
    const loss = past.lossOf(contextId, place, claim.id)
    if (loss === undefined) return []
    for (const id of past.held(contextId, place, claim.id)) if (!erased.has(id)) return []
    return lostOf(surviving(causeOf(loss), { kind: 'extends' }, claim), 'extends')
  })
}

function lostOf(causes: Causes, kind: Lost['kind']): Lost[] {
  return SOURCES.flatMap((source) => {
    const place = causes[source]
    return place === undefined ? [] : [{ kind, place, source }]
  })
}

/** The claims before an erasure, as far as the erasure asks for them. */
export interface Past extends Bases {
  /** The memories that the context held before a place, other than `except`. */
  held(contextId: ContextId, before: number, except: MemoryId): Iterable<MemoryId>
}
