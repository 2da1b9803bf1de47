import { type MemoryId, SOURCES } from '../../model.js'
import { type Causes, causeOf, staleness, surviving } from '../claims/staleness.js'
import type { Claim, Lost } from '../claims/types.js'
import type { Past } from './past.js'

/** The supersessions that claims built on through erased memories, and that they were not stated since. In small steps. */
export function* lostWith(
  erased: ReadonlySet<MemoryId>,
  claims: ReadonlySet<MemoryId>,
  past: Past,
): Generator<void, Map<MemoryId, Lost[]>> {
  const causes = new Map<MemoryId, Causes>()
  const bases = { get: past.get.bind(past), lossOf: past.lossOf.bind(past), causes }
  for (const id of claims) {
    staleness([id], bases)
    yield
  }
  const lost = new Map<MemoryId, Lost[]>()
  for (const id of claims) {
    const claim = erased.has(id) ? undefined : past.get(id)
    if (claim === undefined) continue
    yield
    const found = [
      ...claim.extends.flatMap((base) => through(base, 'extends', claim)),
      ...claim.reinforces.flatMap((base) => through(base.claim, 'reinforces', claim)),
      ...emptied(claim, erased, past),
    ]
    if (found.length > 0) lost.set(id, found)
  }
  return lost

  function through(base: MemoryId, kind: Lost['kind'], claim: Claim): Lost[] {
    return erased.has(base) ? lostOf(surviving(causes.get(base) ?? {}, kind, claim), kind) : []
  }
}

/** A context of which nothing is left makes nothing stale any more, so its last loss is kept. */
function emptied(claim: Claim, erased: ReadonlySet<MemoryId>, past: Past): Lost[] {
  return claim.wholes.flatMap(({ contextId, place }) => {
    const loss = past.lossOf(contextId, place, claim.id)
    if (loss === undefined) return []
    for (const id of past.held(contextId, place, claim.id)) if (!erased.has(id)) return []
    return lostOf(surviving(causeOf(loss), 'extends', claim), 'extends')
  })
}

function lostOf(causes: Causes, kind: Lost['kind']): Lost[] {
  return SOURCES.flatMap((source) => {
    const place = causes[source]
    return place === undefined ? [] : [{ kind, place, source }]
  })
}
