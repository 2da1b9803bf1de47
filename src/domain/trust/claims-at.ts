import type { ContextId, MemoryId } from '../model.js'
import type { AgainstContext } from './claims/assess.js'
import { stands, wholeOf } from './claims/claims.js'
import {
  hasBegun,
  heldBy,
  isActive,
  isActiveBefore,
  isWrong,
  type Moment,
  reached,
  replacing,
} from './claims/law.js'
import { type Lines, type Node, type Replacing, untilOf } from './claims/lines.js'
import type { Causes } from './claims/staleness.js'
import type { Claim, Supersession } from './claims/types.js'
import type { ClaimId } from './fields.js'
import type { Foundations } from './foundations.js'
import { type ClaimTable, type HistoricalClaims, latestOf } from './table.js'

/**
 * The claims at a valid time, given what was recorded by then. Of the spells that have begun and not ended, the one that no
 * other replaces is current.
 */
export class ClaimsAt implements HistoricalClaims {
  readonly causes: Map<ClaimId, Causes>
  readonly #then: HistoricalClaims
  readonly #table: ClaimTable
  readonly #lines: Lines
  readonly #moment: Moment
  readonly #isTimed: boolean
  /** Claims in lines and claims in dispute, once they were asked for. */
  readonly #lined = new Map<ClaimId, Claim>()
  readonly #disputed = new Map<ClaimId, Claim>()
  readonly #leading = new Map<Node, boolean>()

  get foundations(): Foundations {
    return this.#table.foundations
  }

  held(contextId: ContextId, before: number, except: MemoryId): Iterable<MemoryId> {
    return this.#table.held(contextId, before, except)
  }

  /** `then` is `table` itself, or the claims as of the moment's place. `causes` are those already computed. */
  constructor(
    then: HistoricalClaims,
    table: ClaimTable,
    moment: Moment,
    causes = new Map<ClaimId, Causes>(),
  ) {
    this.#then = then
    this.#table = table
    this.#lines = table.lines
    this.#moment = moment
    this.#isTimed = table.lines.isTimed(moment.at)
    this.causes = causes
  }

  get(id: ClaimId): Claim | undefined {
    const known = this.#disputed.get(id)
    if (known !== undefined) return known
    const claim = this.#inTime(id)
    if (claim === undefined || claim.disputes === 0) return claim
    const disputed = { ...claim, disputes: this.opponents(id).size }
    this.#disputed.set(id, disputed)
    return disputed
  }

  parts(id: MemoryId): readonly ClaimId[] {
    return this.#then.parts(id)
  }

  whole(id: ClaimId): Claim | undefined {
    return wholeOf(id, this)
  }

  opponents(id: ClaimId): ReadonlySet<ClaimId> {
    const all = this.#then.opponents(id)
    if (all.size === 0) return all
    const isThere = (one: ClaimId) => holds(this.#inTime(one))
    return isThere(id) && [...all].every(isThere) ? all : new Set(isThere(id) ? [...all].filter(isThere) : [])
  }

  supersedes(id: ClaimId): ReadonlySet<ClaimId> {
    const known = this.#then.supersedes(id)
    if (!this.#isTimed) return known
    const all = new Set([...known, ...this.#lines.replacedBy(id)])
    return new Set([...all].filter((other) => this.get(other)?.supersededBy.includes(id)))
  }

  against(contextId: ContextId): readonly AgainstContext[] {
    return this.#then.against(contextId)
  }

  lossOf(contextId: ContextId, before: number, except: MemoryId): Supersession | undefined {
    if (!this.#isTimed) return this.#then.lossOf(contextId, before, except)
    return latestOf(this.#table.held(contextId, before, except), (id) => this.whole(id))
  }

  /** The claim as it stands at the time, but with the disputes of all times. */
  #inTime(id: ClaimId): Claim | undefined {
    const known = this.#lined.get(id)
    if (known !== undefined) return known
    const claim = this.#then.get(id)
    if (claim === undefined) return undefined
    const nodes = this.#isTimed ? this.#nodesOf(id) : []
    if (nodes.length === 0) return this.#single(claim)
    const seen = this.#inLine(claim, nodes)
    this.#lined.set(id, seen)
    return seen
  }

  #nodesOf(id: ClaimId): Node[] {
    return this.#lines.of(id).filter(({ place }) => place <= this.#moment.place)
  }

  #single(claim: Claim): Claim {
    const { from, until } = claim.spell
    if (claim.superseded !== undefined) return claim
    if (from > this.#moment.at) return { ...claim, phase: 'planned' }
    return until !== undefined && until <= this.#moment.at ? { ...claim, phase: 'expired' } : claim
  }

  #inLine(claim: Claim, nodes: readonly Node[]): Claim {
    if (nodes.some((node) => isActive(node, this.#moment) && heldBy(node, this.#moment) === undefined))
      return standing(claim)
    const begun = nodes.filter((node) => hasBegun(node, this.#moment))
    // The last spell that holds, else the last that held.
    const last = begun.findLast((node) => isActive(node, this.#moment)) ?? begun.at(-1)
    if (last !== undefined) {
      const by = this.#replacing(last)
      if (by.length > 0) return this.#superseded(claim, by)
      return { ...standing(claim), phase: 'expired' }
    }
    const wrong = nodes.filter((node) => isWrong(node, this.#moment))
    if (wrong.length === nodes.length)
      return this.#superseded(
        claim,
        wrong.flatMap((node) => replacing(node, this.#moment)),
      )
    return { ...standing(claim), phase: 'planned' }
  }

  /** The spells that replace one that would still hold, or that held when it ended. */
  #replacing(node: Node): Replacing[] {
    const moment = this.#moment
    const until = untilOf(node, moment.place)
    if (until === undefined || until > moment.at) {
      return [...reached(node, moment, (other) => hasBegun(other, moment) && this.#leads(other))]
    }
    const ending = node.endedBy.filter(({ place }) => place <= moment.place)
    if (ending.length > 0) return ending
    return [...reached(node, moment, (other) => isActiveBefore(other, until, moment))]
  }

  /**
   * Does a spell hold, or lead to one that does by what replaced it before it ended? What ended by itself leads nowhere: what
   * began after that replaced what had been there before.
   */
  #leads(node: Node): boolean {
    const known = this.#leading.get(node)
    if (known !== undefined) return known
    // From each spell the one that it was reached from. Replacements can form circles and long chains.
    const from = new Map<Node, Node | undefined>([[node, undefined]])
    const queue = [node]
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      if (isActive(next, this.#moment) || this.#leading.get(next) === true) {
        for (let on: Node | undefined = next; on !== undefined; on = from.get(on)) this.#leading.set(on, true)
        return true
      }
      const isCalledOff = next.endedBy.some(({ place }) => place <= this.#moment.place)
      if (isCalledOff || this.#leading.get(next) === false) continue
      for (const { node: by } of this.#replacing(next)) {
        if (from.has(by)) continue
        from.set(by, next)
        queue.push(by)
      }
    }
    for (const one of from.keys()) this.#leading.set(one, false)
    return false
  }

  #superseded(claim: Claim, by: readonly Replacing[]): Claim {
    const ids = new Set(by.map(({ node }) => node.claim))
    const isSame = claim.superseded !== undefined && claim.supersededBy.every((id) => ids.has(id))
    if (isSame) return claim
    const last = by.reduce((a, b) => (b.place > a.place ? b : a))
    const superseded = { place: last.place, source: last.source }
    return { ...claim, superseded, supersededBy: [...ids] }
  }
}

/** Does a claim stand at the time that the claims are of? */
export function holds(claim: Claim | undefined): boolean {
  return stands(claim) && claim.phase === undefined
}

function standing(claim: Claim): Claim {
  return stands(claim) ? claim : { ...claim, superseded: undefined, supersededBy: [] }
}
