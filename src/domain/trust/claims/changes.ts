import type { ContextId, MemoryId } from '../../model.js'
import { byCodeUnit } from '../../names.js'
import { type Claims, MOST_CONSIDERED, stands } from './claims.js'
import type { Claim } from './types.js'

/** Two claims between which a contradiction was opened or closed. */
export interface DisputeChange {
  readonly a: MemoryId
  readonly b: MemoryId
  readonly open: boolean
}

/**
 * What some events change, over claims that stay as they are: later events of the same batch see it, and a store
 * writes just these rows.
 */
export class Changes implements Claims {
  readonly #base: Claims
  readonly #claims = new Map<MemoryId, Claim>()
  readonly #fresh = new Map<ContextId, Set<MemoryId>>()
  readonly #disputes = new Map<MemoryId, Map<MemoryId, boolean>>()

  constructor(base: Claims) {
    this.#base = base
  }

  /** The claims that changed, as they are now. */
  get claims(): ReadonlyMap<MemoryId, Claim> {
    return this.#claims
  }

  /** Each pair once. A pair that was opened and closed again is told as closed. */
  get disputes(): readonly DisputeChange[] {
    const changes: DisputeChange[] = []
    for (const [a, others] of this.#disputes)
      for (const [b, open] of others) if (a < b) changes.push({ a, b, open })
    return changes
  }

  get(id: MemoryId): Claim | undefined {
    return this.#claims.get(id) ?? this.#base.get(id)
  }

  opponents(id: MemoryId): MemoryId[] {
    const changed = this.#disputes.get(id)
    if ((this.get(id)?.disputes ?? 0) === 0) return []
    const list = [...this.#base.opponents(id)].filter((other) => changed?.has(other) !== true)
    for (const [other, open] of changed ?? []) if (open) list.push(other)
    // What an event does is told in this order, which must not depend on how a store keeps them.
    return list.sort(byCodeUnit)
  }

  standing(contextId: ContextId): readonly MemoryId[] {
    const isChanged = (id: MemoryId) => this.#claims.has(id)
    const list = this.#base.standing(contextId).filter((id) => !isChanged(id) || stands(this.get(id)))
    const changed = [...(this.#fresh.get(contextId) ?? [])].filter((id) => stands(this.get(id)))
    if (changed.every((id) => list.includes(id))) return list
    const placeOf = (id: MemoryId) => this.#claims.get(id)?.place ?? this.#base.get(id)?.place ?? 0
    return [...new Set([...list, ...changed])].sort((a, b) => placeOf(a) - placeOf(b)).slice(-MOST_CONSIDERED)
  }

  put(claim: Claim): void {
    this.#claims.set(claim.id, claim)
    const fresh = this.#fresh.get(claim.contextId)
    if (fresh === undefined) this.#fresh.set(claim.contextId, new Set([claim.id]))
    else fresh.add(claim.id)
  }

  /** Takes over what further changes, made over these, have changed. */
  take(further: Changes): void {
    for (const claim of further.#claims.values()) this.put(claim)
    for (const [id, others] of further.#disputes) {
      const changed = this.#disputes.get(id) ?? new Map<MemoryId, boolean>()
      for (const [other, open] of others) changed.set(other, open)
      this.#disputes.set(id, changed)
    }
  }

  /** Opens or closes a contradiction; one that is open already stays as it is. */
  dispute(a: Claim, b: Claim, open: boolean): void {
    const [few, many] = a.disputes <= b.disputes ? [a, b] : [b, a]
    if (this.opponents(few.id).includes(many.id) === open) return
    const step = open ? 1 : -1
    for (const [one, other] of [
      [a, b],
      [b, a],
    ] as const) {
      this.put({ ...one, disputes: one.disputes + step })
      const changed = this.#disputes.get(one.id)
      if (changed === undefined) this.#disputes.set(one.id, new Map([[other.id, open]]))
      else changed.set(other.id, open)
    }
  }
}
