import { countWhile } from '../in-order.js'
import { byCodeUnit } from '../names.js'
import type { ClaimId } from './fields.js'

/** Two claims in open contradiction. Ids are in the order of recording. */
export interface Pair {
  readonly earlier: ClaimId
  readonly later: ClaimId
}

/** The open contradictions of a graph in order: by the later of the two, then by the earlier. */
export class OpenDisputes {
  readonly #pairs: Pair[] = []

  get size(): number {
    return this.#pairs.length
  }

  change(a: ClaimId, b: ClaimId, isOpen: boolean): void {
    const pair = a < b ? { earlier: a, later: b } : { earlier: b, later: a }
    const place = countWhile(this.#pairs, (other) => byPair(other, pair) < 0)
    const found = this.#pairs[place]
    const isThere = found !== undefined && byPair(found, pair) === 0
    if (isOpen && !isThere) this.#pairs.splice(place, 0, pair)
    if (!isOpen && isThere) this.#pairs.splice(place, 1)
  }

  /** At most `most` pairs, the latest first, without the latest `from`. */
  latest(from: number, most: number): Pair[] {
    const end = this.#pairs.length - from
    return end <= 0 ? [] : this.#pairs.slice(Math.max(0, end - most), end).reverse()
  }
}

function byPair(a: Pair, b: Pair): number {
  return byCodeUnit(a.later, b.later) || byCodeUnit(a.earlier, b.earlier)
}
