import { listOf } from '../../domain/groups.js'
import { countWhile } from '../../domain/in-order.js'
import type { ContextId, MemoryId } from '../../domain/model.js'
import { byCodeUnit } from '../../domain/names.js'
import { Best } from '../../domain/survey/best-of.js'
import { isCut, type Loss, MAX_BUILDERS, MAX_SHAKEN, StaleSearch } from '../../domain/survey/stale-search.js'
import { stands } from '../../domain/trust/claims/claims.js'
import type { Claim } from '../../domain/trust/claims/types.js'
import type { ClaimsAt } from '../../domain/trust/claims-at.js'

/** Finds the stale claims of a graph, in small steps. */
export function* findStale(claims: ClaimsAt): Generator<void, StaleSearch> {
  const { foundations } = claims
  const shaken = yield* best(foundations.shaken, claims, MAX_SHAKEN, byLatestSupersession)
  // A claim that had been superseded may stand again, if the superseding claim has ended.
  const superseded = shaken.filter((claim) => !stands(claim))
  const lost = yield* best(foundations.lost, claims, MAX_SHAKEN, byLatest)
  const { builders, losses } = yield* lossesIn(claims)
  const search = new StaleSearch()
  yield* search.begin({ superseded, losses, lost, isCut: isCut(superseded, builders, lost) })
  for (let edge = search.frontier; edge.length > 0; edge = search.frontier) {
    const builders = new Set<MemoryId>()
    for (const id of edge) {
      for (const builder of foundations.buildersOn(id)) builders.add(builder)
      yield
    }
    yield* search.take(yield* best(builders, claims, MAX_BUILDERS, byLatest))
  }
  return search
}

function* best(
  ids: Iterable<MemoryId>,
  claims: ClaimsAt,
  limit: number,
  compare: (a: Claim, b: Claim) => number,
): Generator<void, Claim[]> {
  const found = new Best(limit, compare)
  for (const id of ids) {
    const claim = claims.whole(id)
    if (claim !== undefined) found.add(claim)
    yield
  }
  return found.inOrder()
}

/** The latest claims that extend a whole context, and the losses among those contexts. */
function* lossesIn(claims: ClaimsAt): Generator<void, { builders: Claim[]; losses: Loss[] }> {
  const extended = new Map<MemoryId, ContextId[]>()
  for (const [contextId, ids] of claims.foundations.shakenContexts()) {
    yield
    if (!mayBeLost(contextId, claims)) continue
    for (const id of ids) listOf(extended, id).push(contextId)
  }
  const members = new Map<ContextId, Members>()
  const builders = yield* best(extended.keys(), claims, MAX_SHAKEN, byLatest)
  const losses: Loss[] = []
  for (const claim of builders)
    for (const contextId of extended.get(claim.id) ?? []) {
      const found = members.get(contextId) ?? (yield* membersOf(contextId, claims))
      members.set(contextId, found)
      for (const whole of claim.wholes) {
        if (whole.contextId !== contextId) continue
        const replaced = lastReplaced(found, whole.place, claim.id)
        if (replaced !== undefined) losses.push({ claim, replaced })
      }
      yield
    }
  return { builders, losses }
}

/** False if the first two memories of a context stand: then one of them is not the claim itself, so the context is not lost. */
function mayBeLost(contextId: ContextId, claims: ClaimsAt): boolean {
  let seen = 0
  for (const id of claims.held(contextId, Number.POSITIVE_INFINITY, '')) {
    if (!stands(claims.whole(id))) return true
    if (++seen === 2) return false
  }
  return false
}

/** The memories of a context that decide whether it is lost, in order. */
interface Members {
  /** Its first two standing memories. */
  readonly standing: readonly Claim[]
  /** Its superseded memories, each with the most recently superseded one up to it. */
  readonly superseded: readonly { readonly place: number; readonly last: Claim }[]
}

function* membersOf(contextId: ContextId, claims: ClaimsAt): Generator<void, Members> {
  const standing: Claim[] = []
  const superseded: { place: number; last: Claim }[] = []
  for (const id of claims.held(contextId, Number.POSITIVE_INFINITY, '')) {
    yield
    const claim = claims.whole(id)
    if (claim === undefined) continue
    if (stands(claim)) {
      standing.push(claim)
      if (standing.length === 2) break
      continue
    }
    const last = superseded.at(-1)?.last
    superseded.push({
      place: claim.place,
      last: last === undefined || byLatestSupersession(claim, last) < 0 ? claim : last,
    })
  }
  return { standing, superseded }
}

/** As `Bases.lossOf`, but returns the claim. */
function lastReplaced(
  { standing, superseded }: Members,
  before: number,
  except: MemoryId,
): Claim | undefined {
  const [first] = standing.filter(({ id }) => id !== except)
  if (first !== undefined && first.place < before) return undefined
  return superseded[countWhile(superseded, ({ place }) => place < before) - 1]?.last
}

function byLatest(a: Claim, b: Claim): number {
  return byCodeUnit(b.id, a.id)
}

/** Latest supersession first; among claims superseded by the same event, the first recorded. */
function byLatestSupersession(a: Claim, b: Claim): number {
  return (b.superseded?.place ?? 0) - (a.superseded?.place ?? 0) || byCodeUnit(a.id, b.id)
}
