import { listOf } from '../groups.js'
import type { ContextId, MemoryId } from '../model.js'
import { byCodeUnit } from '../names.js'
import { basesOf, type Causes, causeOf, joined, surviving } from '../trust/claims/staleness.js'
import type { Claim } from '../trust/claims/types.js'
import { memoryOf } from '../trust/fields.js'

/** A claim that extends a context as a whole, of whose memories at that time none stands; `replaced` went last. */
export interface Loss {
  readonly claim: Claim
  readonly replaced: Claim
}

/** Where staleness begins. */
interface StaleBases {
  /** Superseded claims that claims that stand build on. */
  readonly superseded: readonly Claim[]
  /** In any order. */
  readonly losses: readonly Loss[]
  /** Claims that have built on something superseded that was erased. */
  readonly lost: readonly Claim[]
  /** Whether there may be more of any of them. */
  readonly isCut: boolean
}

/** A superseded memory, and by what. */
export interface Replaced {
  readonly memoryId: MemoryId
  readonly contextId: ContextId
  readonly supersededBy: readonly MemoryId[]
}

/** Whether some of what the search begins with may have been left out. */
export function isCut(...sorts: readonly (readonly Claim[])[]): boolean {
  return sorts.some(({ length }) => length >= MAX_SHAKEN)
}

/** How many claims of each sort the search begins with, the latest superseded or stated first. */
export const MAX_SHAKEN = 5000
/** How many claims that build on those of the frontier are taken at once, the latest first. */
export const MAX_BUILDERS = 5000
const MAX_STALE = 5000
/** Through how many others a claim may build on a superseded one and be found. */
const MAX_BETWEEN = 100
const MAX_REPLACED = 20

/**
 * The stale claims of a graph, found from below: the least fixpoint of staleness.ts, as far as it follows from what is
 * given. `take` is called with the claims that build on those of `frontier` and stand, until there are none.
 */
export class StaleSearch {
  readonly #causes = new Map<MemoryId, Causes>()
  readonly #claims = new Map<MemoryId, Claim>()
  readonly #losses = new Map<MemoryId, Loss[]>()
  readonly #stale = new Set<MemoryId>()
  #frontier = new Set<MemoryId>()
  #found: MemoryId[] = []
  #levels = 0
  #isCut = false

  /** Whether there may be more stale claims than are found: something was left out because there was too much of it. */
  get isCut(): boolean {
    return this.#isCut || (this.#levels > MAX_BETWEEN && this.#frontier.size > 0)
  }

  /** To be done first, in small steps. */
  *begin({ superseded, losses, lost, isCut }: StaleBases): Generator<void> {
    this.#isCut = isCut
    for (const claim of superseded) {
      if (claim.superseded === undefined) continue
      this.#claims.set(claim.id, claim)
      this.#causes.set(claim.id, causeOf(claim.superseded))
      this.#frontier.add(claim.id)
      yield
    }
    const latestFirst = (a: Claim, b: Claim) => byCodeUnit(b.id, a.id)
    const lossesOf = new Map<Claim, Loss[]>()
    for (const loss of losses) {
      listOf(lossesOf, loss.claim).push(loss)
      yield
    }
    for (const claim of [...lossesOf.keys()].sort(latestFirst))
      for (const loss of (lossesOf.get(claim) ?? []).sort((a, b) => latestFirst(a.replaced, b.replaced))) {
        yield
        const { superseded } = loss.replaced
        if (superseded === undefined) continue
        if (!this.#add(claim, surviving(causeOf(superseded), { kind: 'extends' }, claim), this.#frontier))
          continue
        listOf(this.#losses, claim.id).push(loss)
      }
    for (const claim of [...lost].sort(latestFirst)) {
      for (const one of claim.lost) this.#add(claim, surviving(causeOf(one), one, claim), this.#frontier)
      yield
    }
  }

  /** The claims whose builders are to be looked at; empty when the search is over. */
  get frontier(): readonly MemoryId[] {
    return this.#levels > MAX_BETWEEN ? [] : [...this.#frontier]
  }

  /** The latest claims that stand and build on one of the frontier, at most `MAX_BUILDERS`, in any order; in small steps. */
  *take(builders: readonly Claim[]): Generator<void> {
    const next = new Set<MemoryId>()
    if (builders.length >= MAX_BUILDERS) this.#isCut = true
    for (const builder of [...builders].sort((a, b) => byCodeUnit(a.id, b.id))) {
      for (const base of basesOf(builder))
        if (this.#frontier.has(base.id))
          this.#add(builder, surviving(this.#causes.get(base.id) ?? {}, base, builder), next)
      yield
    }
    this.#frontier = next
    this.#levels++
  }

  /** The latest first. */
  get found(): readonly MemoryId[] {
    if (this.#found.length < this.#stale.size) this.#found = [...this.#stale].sort((a, b) => byCodeUnit(b, a))
    return this.#found
  }

  /** What a claim that was found builds on that was superseded, the nearest first; at most `MAX_REPLACED`. */
  because(id: MemoryId): Replaced[] {
    const roots = new Map<MemoryId, Replaced>()
    const seen = new Set([id])
    for (const one of seen) {
      const claim = this.#claims.get(one)
      if (claim === undefined) continue
      for (const { replaced } of this.#losses.get(one) ?? []) roots.set(replaced.id, toReplaced(replaced))
      for (const one of basesOf(claim)) {
        const base = one.id
        const causes = this.#causes.get(base)
        const below = this.#claims.get(base)
        if (causes === undefined || below === undefined || isEmpty(surviving(causes, one, claim))) continue
        if (below.superseded === undefined) seen.add(base)
        else roots.set(base, toReplaced(below))
      }
      if (roots.size >= MAX_REPLACED) break
    }
    return [...roots.values()].slice(0, MAX_REPLACED)
  }

  /** Notes causes of a claim; false when it has none of them, or when there is no room for it. */
  #add(claim: Claim, more: Causes, changed: Set<MemoryId>): boolean {
    const before = this.#causes.get(claim.id) ?? {}
    if (isEmpty(more)) return false
    if (!this.#stale.has(claim.id) && this.#stale.size >= MAX_STALE) {
      this.#isCut = true
      return false
    }
    const after = joined(before, more)
    if (after === before) return true
    this.#stale.add(claim.id)
    this.#claims.set(claim.id, claim)
    this.#causes.set(claim.id, after)
    changed.add(claim.id)
    return true
  }
}

function isEmpty(causes: Causes): boolean {
  return Object.keys(causes).length === 0
}

function toReplaced({ id, contextId, supersededBy }: Claim): Replaced {
  const by = [...new Set(supersededBy.map(memoryOf))].sort(byCodeUnit)
  return { memoryId: memoryOf(id), contextId, supersededBy: by }
}
