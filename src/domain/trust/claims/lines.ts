import { addTo, listOf } from '../../groups.js'
import { countUpTo } from '../../in-order.js'
import type { Source } from '../../model.js'
import type { ClaimId } from '../fields.js'
import type { Spell } from './types.js'

/** What an event does to the spells of claims. */
export type LineChange =
  /** A claim holds anew: another spell of it. */
  | { readonly kind: 'opened'; readonly claim: ClaimId; readonly spell: Spell; readonly before: Spell }
  | Ending
  /** A field claim was split off, with the spells of its memory. */
  | { readonly kind: 'split'; readonly claim: ClaimId; readonly from: ClaimId }
  | Replacement

/** The end of a claim's spell changes. */
interface Ending {
  readonly kind: 'ends'
  readonly claim: ClaimId
  readonly spell: Spell
  readonly before: Spell
  readonly place: number
}

/**
 * `spell` does not hold while `bySpell` does. `corrects`: `spell` never held. `ends`: `spell` holds no longer, and the claim
 * that it had replaced holds again.
 */
export interface Replacement {
  readonly kind: 'replaced'
  readonly claim: ClaimId
  readonly spell: Spell
  readonly by: ClaimId
  readonly bySpell: Spell
  readonly place: number
  readonly source: Source
  readonly effect: 'supersedes' | 'joins' | 'corrects' | 'ends' | 'late'
}

/** A spell and the spells that replace it. Each fact has the place of the statement that made it known. */
export interface Node {
  readonly claim: ClaimId
  readonly place: number
  readonly from: string
  readonly ends: { readonly place: number; readonly until: string | undefined }[]
  readonly replacedBy: Replacing[]
  /** The spells that ended it early without replacing it. */
  readonly endedBy: Replacing[]
  /** The place of the statement that it was wrong. */
  wrong: number | undefined
}

export interface Replacing {
  readonly place: number
  readonly source: Source
  readonly node: Node
}

const NONE: readonly never[] = []

/**
 * Which spells replace which, for claims that replace or were replaced. The line of a spell is all spells that can be reached
 * from it over `replacedBy`. Of the spells that hold at a time, the one from which no other is reached stands.
 */
export class Lines {
  readonly #nodes = new Map<ClaimId, Node[]>()
  readonly #replaced = new Map<ClaimId, Set<ClaimId>>()
  /** Does any spell end, or was any wrong? Otherwise time changes nothing about what has begun. */
  #hasEnds = false
  #latestFrom = ''

  of(claim: ClaimId): readonly Node[] {
    return this.#nodes.get(claim) ?? NONE
  }

  /** Every claim with a spell that this claim replaced. */
  replacedBy(claim: ClaimId): Iterable<ClaimId> {
    return this.#replaced.get(claim) ?? NONE
  }

  get claims(): Iterable<ClaimId> {
    return this.#nodes.keys()
  }

  /** May another claim stand at a time than the one that was recorded last? */
  isTimed(at: string): boolean {
    return this.#hasEnds || at < this.#latestFrom
  }

  apply(change: LineChange): void {
    if (change.kind === 'split') this.#split(change.claim, change.from)
    else if (change.kind === 'opened') {
      this.#nodeOf(change.claim, change.before)
      this.#nodeOf(change.claim, change.spell)
    } else if (change.kind === 'ends') this.#end(change)
    else this.#replace(change)
  }

  #replace({ claim, spell, by, bySpell, place, source, effect }: Replacement): void {
    const node = this.#nodeOf(claim, spell)
    const replacing = { place, source, node: this.#nodeOf(by, bySpell) }
    addTo(this.#replaced, by, claim)
    if (effect === 'ends' || effect === 'corrects') this.#hasEnds = true
    if (effect === 'ends') {
      node.ends.push({ place, until: replacing.node.from })
      node.endedBy.push(replacing)
      return
    }
    if (effect === 'corrects') node.wrong ??= place
    if (!node.replacedBy.some((one) => one.node === replacing.node)) node.replacedBy.push(replacing)
  }

  #end({ claim, spell: { until }, before, place }: Ending): void {
    this.#nodeOf(claim, before).ends.push({ place, until })
    if (until !== undefined) this.#hasEnds = true
  }

  #split(claim: ClaimId, from: ClaimId): void {
    const nodes = this.of(from).map((node) => ({
      ...node,
      claim,
      ends: [...node.ends],
      replacedBy: [...node.replacedBy],
      endedBy: [...node.endedBy],
    }))
    if (nodes.length === 0) return
    this.#nodes.set(claim, nodes)
    for (const node of nodes)
      for (const { node: by } of node.replacedBy) this.#replaced.get(by.claim)?.add(claim)
  }

  #nodeOf(claim: ClaimId, { place, from, until }: Spell): Node {
    const known = listOf(this.#nodes, claim)
    const found = known.find((node) => node.place === place)
    if (found !== undefined) return found
    const none = { replacedBy: [], endedBy: [], wrong: undefined }
    const node = { claim, place, from, ends: [{ place, until }], ...none }
    known.push(node)
    if (until !== undefined) this.#hasEnds = true
    if (from > this.#latestFrom) this.#latestFrom = from
    return node
  }
}

/** Until when a spell holds, by the statements up to a place. */
export function untilOf({ ends }: Node, place: number): string | undefined {
  return ends[countUpTo(ends, place) - 1]?.until
}
