import { mark } from '../groups.js'
import type { ContextId, MemoryId } from '../model.js'
import { stands } from './claims/claims.js'
import { basesOf } from './claims/staleness.js'
import type { Claim } from './claims/types.js'
import type { ClaimId } from './fields.js'

/** For each claim and each context of a graph: the memories that build on it. */
export class Foundations {
  readonly #builders = new Map<ClaimId, Set<MemoryId>>()
  readonly #wholes = new Map<ContextId, Set<MemoryId>>()
  readonly #supersededIn = new Map<ContextId, Set<MemoryId>>()
  readonly #shaken = new Set<ClaimId>()
  readonly #lost = new Set<MemoryId>()
  #superseded = 0
  readonly #isSuperseded: (id: ClaimId) => boolean

  /** `isSuperseded`: is a claim superseded now? */
  constructor(isSuperseded: (id: ClaimId) => boolean) {
    this.#isSuperseded = isSuperseded
  }

  /** How many claims are superseded. */
  get superseded(): number {
    return this.#superseded
  }

  /** The superseded claims that a standing claim builds on. */
  get shaken(): ReadonlySet<ClaimId> {
    return this.#shaken
  }

  /** The standing claims that built on a superseded claim that was erased. */
  get lost(): ReadonlySet<MemoryId> {
    return this.#lost
  }

  /** The standing memories that build on a claim. */
  buildersOn(id: ClaimId): Iterable<MemoryId> {
    return this.#builders.get(id) ?? []
  }

  /** The contexts with superseded memories that standing claims extend as a whole, with these claims. */
  *shakenContexts(): Iterable<readonly [ContextId, ReadonlySet<MemoryId>]> {
    for (const contextId of this.#supersededIn.keys()) {
      const builders = this.#wholes.get(contextId)
      if (builders !== undefined) yield [contextId, builders]
    }
  }

  /** Notes a change of a field claim, which builds on nothing by itself. */
  changePart(before: Claim | undefined, after: Claim | undefined): void {
    const claim = after ?? before
    if (claim !== undefined) this.#shake(claim.id, after !== undefined && !stands(after))
  }

  /** Notes a change of a memory as a whole; `undefined` stands for a memory that is not there. */
  change(before: Claim | undefined, after: Claim | undefined): void {
    const claim = after ?? before
    if (claim === undefined) return
    const { id, contextId } = claim
    const isSuperseded = after !== undefined && !stands(after)
    const isStanding = stands(after)
    if (this.#supersededIn.get(contextId)?.has(id) === true) this.#superseded--
    mark(this.#supersededIn, contextId, id, isSuperseded)
    if (isSuperseded) this.#superseded++
    for (const base of before === undefined ? [] : basesOf(before)) this.#build(base.id, id, false)
    for (const base of after === undefined ? [] : basesOf(after)) this.#build(base.id, id, true)
    for (const whole of before?.wholes ?? []) mark(this.#wholes, whole.contextId, id, false)
    for (const whole of isStanding ? after.wholes : []) mark(this.#wholes, whole.contextId, id, true)
    if (isStanding && after.lost.length > 0) this.#lost.add(id)
    else this.#lost.delete(id)
    this.#shake(id, isSuperseded)
  }

  #build(base: ClaimId, builder: MemoryId, isBuilt: boolean): void {
    mark(this.#builders, base, builder, isBuilt)
    this.#shake(base, this.#isSuperseded(base))
  }

  #shake(id: ClaimId, isSuperseded: boolean): void {
    if (isSuperseded && this.#builders.has(id)) this.#shaken.add(id)
    else this.#shaken.delete(id)
  }
}
