import { addTo, getOrAdd, listOf } from '../../groups.js'
import type { ContextId, MemoryId } from '../../model.js'
import { byCodeUnit } from '../../names.js'
import { type ClaimId, memoryOf } from '../fields.js'
import { type Claims, MAX_CONSIDERED, stands, wholeOf } from './claims.js'
import type { LineChange } from './lines.js'
import { type Claim, UNCONNECTED } from './types.js'

/** Two claims between which a contradiction was opened or closed. */
interface DisputeChange {
  readonly a: ClaimId
  readonly b: ClaimId
  readonly open: boolean
}

/**
 * The changes that some events make to claims, which themselves stay as they are: later events of the same batch see the
 * changes, and a store writes only them.
 */
export class Changes implements Claims {
  readonly #base: Claims
  readonly #claims = new Map<ClaimId, Claim>()
  readonly #parts = new Map<MemoryId, ClaimId[]>()
  /** The memories of claims that changed, by context. */
  readonly #touched = new Map<ContextId, Set<MemoryId>>()
  readonly #disputes = new Map<ClaimId, Map<ClaimId, boolean>>()
  readonly #lines: LineChange[] = []

  constructor(base: Claims) {
    this.#base = base
  }

  /** The claims that changed, as they are now. */
  get claims(): ReadonlyMap<ClaimId, Claim> {
    return this.#claims
  }

  /** Each pair once. A pair that was opened and closed again is listed as closed. */
  get disputes(): readonly DisputeChange[] {
    const changes: DisputeChange[] = []
    for (const [a, others] of this.#disputes)
      for (const [b, open] of others) if (a < b) changes.push({ a, b, open })
    return changes
  }

  /** In order of the events. */
  get lines(): readonly LineChange[] {
    return this.#lines
  }

  get(id: ClaimId): Claim | undefined {
    return this.#claims.get(id) ?? this.#base.get(id)
  }

  parts(id: MemoryId): readonly ClaimId[] {
    const fresh = this.#parts.get(id)
    return fresh === undefined ? this.#base.parts(id) : [...this.#base.parts(id), ...fresh]
  }

  opponents(id: ClaimId): ClaimId[] {
    const changed = this.#disputes.get(id)
    if ((this.get(id)?.disputes ?? 0) === 0) return []
    const list = [...this.#base.opponents(id)].filter((other) => changed?.has(other) !== true)
    for (const [other, open] of changed ?? []) if (open) list.push(other)
    // Effects are listed in this order, which must not depend on the store.
    return list.sort(byCodeUnit)
  }

  supersedes(id: ClaimId): ReadonlySet<ClaimId> {
    const known = [...this.#base.supersedes(id)].filter((other) => !this.#claims.has(other))
    const changed = [...this.#claims.values()].filter(({ supersededBy }) => supersededBy.includes(id))
    return new Set([...known, ...changed.map((claim) => claim.id)])
  }

  standing(contextId: ContextId): readonly MemoryId[] {
    const touched = this.#touched.get(contextId)
    if (touched === undefined) return this.#base.standing(contextId)
    const list = this.#base.standing(contextId).filter((id) => !touched.has(id) || stands(wholeOf(id, this)))
    const changed = [...touched].filter((id) => stands(wholeOf(id, this)))
    if (changed.every((id) => list.includes(id))) return list
    const placeOf = (id: MemoryId) => this.#claims.get(id)?.place ?? this.#base.get(id)?.place ?? 0
    return [...new Set([...list, ...changed])].sort((a, b) => placeOf(a) - placeOf(b)).slice(-MAX_CONSIDERED)
  }

  put(claim: Claim): void {
    const memory = memoryOf(claim.id)
    if (memory !== claim.id && this.get(claim.id) === undefined) listOf(this.#parts, memory).push(claim.id)
    this.#claims.set(claim.id, claim)
    addTo(this.#touched, claim.contextId, memory)
  }

  /** Changes a claim, if it is there. */
  update(id: ClaimId, change: (claim: Claim) => Claim): void {
    const claim = this.get(id)
    if (claim !== undefined) this.put(change(claim))
  }

  line(change: LineChange): void {
    this.#lines.push(change)
  }

  /** Takes over changes that were made on top of these. */
  take(further: Changes): void {
    for (const claim of further.#claims.values()) this.put(claim)
    this.#lines.push(...further.#lines)
    for (const [id, others] of further.#disputes)
      for (const [other, open] of others) this.#disputesOf(id).set(other, open)
  }

  #disputesOf(id: ClaimId): Map<ClaimId, boolean> {
    return getOrAdd(this.#disputes, id, () => new Map())
  }

  /** Opens or closes a contradiction, unless it is so already. */
  dispute(a: Claim, b: Claim, open: boolean): void {
    const [few, many] = a.disputes <= b.disputes ? [a, b] : [b, a]
    if (this.opponents(few.id).includes(many.id) === open) return
    const step = open ? 1 : -1
    for (const [one, other] of [
      [a, b],
      [b, a],
    ] as const) {
      const borrowed = open ? one.borrowed : one.borrowed.filter((id) => id !== other.id)
      this.put({ ...one, disputes: one.disputes + step, borrowed })
      this.#disputesOf(one.id).set(other.id, open)
    }
  }
}

/** Splits the claim of a field off its memory, with all statements of the memory so far. */
export function splitOff(id: ClaimId, changes: Changes): void {
  if (changes.get(id) !== undefined) return
  const whole = changes.get(memoryOf(id))
  if (whole === undefined) return
  // The foundations and disputes stay with the memory.
  changes.put({ ...whole, ...UNCONNECTED, id })
  changes.line({ kind: 'split', claim: id, from: whole.id })
}
