import { countUpTo } from '../../in-order.js'
import type { Source } from '../../model.js'
import type { ClaimId } from '../fields.js'
import type { Spell } from './types.js'

/** What an event does to the spells of claims. */
export type LineChange =
  /** A claim holds anew, or is first known to have held at another time. */
  | { readonly kind: 'opened'; readonly claim: ClaimId; readonly spell: Spell; readonly before: Spell }
  | Ending
  /** A field got a claim of its own, with all that was said of its memory until now. */
  | { readonly kind: 'split'; readonly claim: ClaimId; readonly from: ClaimId }
  | Replacement

/** A claim holds until another time than was said before. */
interface Ending {
  readonly kind: 'ends'
  readonly claim: ClaimId
  readonly spell: Spell
  readonly before: Spell
  readonly place: number
}

/**
 * While one spell holds, another does not. `corrects`: that never did. `ends`: that does not any more, and what it had taken the
 * place of holds again.
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

/** A spell and what takes its place. Everything says since which statement that is known. */
export interface Node {
  readonly claim: ClaimId
  readonly place: number
  readonly from: string
  readonly ends: { readonly place: number; readonly until: string | undefined }[]
  readonly replacedBy: Replacing[]
  /** What ended it before its time, and took the place of nothing else. */
  readonly endedBy: Replacing[]
  /** The statement that it was wrong by. */
  wrong: number | undefined
}

export interface Replacing {
  readonly place: number
  readonly source: Source
  readonly node: Node
}

const NONE: readonly never[] = []

/**
 * Which spells of which claims take the place of which, for claims that have to do with others. A line of the law of time
 * is what can be reached from a spell: of those that hold at a time, the one that reaches no other stands.
 */
export class Lines {
  readonly #nodes = new Map<ClaimId, Node[]>()
  readonly #replaced = new Map<ClaimId, Set<ClaimId>>()
  /** How many spells have an end, and how many were wrong. Without any, what has begun by a time is as it was recorded. */
  #ending = 0
  #wrong = 0
  #latestFrom = ''

  of(claim: ClaimId): readonly Node[] {
    return this.#nodes.get(claim) ?? NONE
  }

  /** Every claim of which this one has replaced a spell. */
  replacedBy(claim: ClaimId): Iterable<ClaimId> {
    return this.#replaced.get(claim) ?? NONE
  }

  get claims(): Iterable<ClaimId> {
    return this.#nodes.keys()
  }

  /** Is what stands at a time another thing than what was recorded last? */
  isTimed(at: string): boolean {
    return this.#ending + this.#wrong > 0 || at < this.#latestFrom
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
    const taking = this.#nodeOf(by, bySpell)
    if (effect === 'ends') {
      node.ends.push({ place, until: taking.from })
      node.endedBy.push({ place, source, node: taking })
      this.#ending++
      this.#know(claim, by)
      return
    }
    if (effect === 'corrects' && node.wrong === undefined) {
      node.wrong = place
      this.#wrong++
    }
    if (!node.replacedBy.some((one) => one.node === taking))
      node.replacedBy.push({ place, source, node: taking })
    this.#know(claim, by)
  }

  #know(claim: ClaimId, by: ClaimId): void {
    const known = this.#replaced.get(by)
    if (known === undefined) this.#replaced.set(by, new Set([claim]))
    else known.add(claim)
  }

  #end({ claim, spell: { until }, before, place }: Ending): void {
    this.#nodeOf(claim, before).ends.push({ place, until })
    if (until !== undefined) this.#ending++
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
    for (const node of nodes) {
      if (node.wrong !== undefined) this.#wrong++
      for (const { until } of node.ends) if (until !== undefined) this.#ending++
      for (const { node: by } of node.replacedBy) this.#replaced.get(by.claim)?.add(claim)
    }
  }

  #nodeOf(claim: ClaimId, { place, from, until }: Spell): Node {
    const known = this.#nodes.get(claim)
    const found = known?.find((node) => node.place === place)
    if (found !== undefined) return found
    const none = { replacedBy: [], endedBy: [], wrong: undefined }
    const node = { claim, place, from, ends: [{ place, until }], ...none }
    if (known === undefined) this.#nodes.set(claim, [node])
    else known.push(node)
    if (until !== undefined) this.#ending++
    if (from > this.#latestFrom) this.#latestFrom = from
    return node
  }
}

/** Until when a spell holds, by what had been said up to a place. */
export function untilOf({ ends }: Node, place: number): string | undefined {
  return ends[countUpTo(ends, place) - 1]?.until
}
