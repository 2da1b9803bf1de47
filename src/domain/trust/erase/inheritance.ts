import { addTo, getOrAdd, listOf } from '../../groups.js'
import type { MemoryId } from '../../model.js'
import { type Judgement, slotOf } from '../claims/claims.js'
import type { Opposition, Recorded } from '../claims/types.js'
import { eventOf } from '../decide/event.js'
import { type ClaimId, claimOfField, claimsIn, fieldOf, memoryOf } from '../fields.js'

/**
 * The oppositions of each event after an erasure: a claim that opposed an erased memory opposes the claims that this memory
 * had opposed until then. The texts of the erased memories must still be there to be judged. Works in small steps.
 */
export function* inherited(
  events: readonly Recorded[],
  erased: ReadonlySet<MemoryId>,
  judgement: Judgement,
): Generator<void, Map<Recorded, readonly Opposition[]>> {
  const oppositions = new Oppositions(erased)
  const splits = new Splits(judgement)
  for (const event of events) {
    for (const one of event.decisions.opposes) oppositions.add(event, one)
    splits.add(event)
    yield
  }
  for (const id of [...erased].sort()) {
    const had: Had[] = []
    for (const [event, list] of oppositions.takeOut(id)) {
      const passedOn = list.flatMap(({ by, against }) =>
        memoryOf(against) === id && had.length > 0
          ? takenOver(event, { by, against }, had, splits, judgement)
          : [],
      )
      for (const { by, against, effect } of list) {
        if (memoryOf(by) === id) had.push({ place: event.place, by, against })
        // A claim that is late behind the erased one was replaced by it.
        else if (effect === 'late') had.push({ place: event.place, by: against, against: by })
      }
      for (const one of passedOn) if (memoryOf(one.by) !== id) oppositions.add(event, one)
      yield
    }
  }
  return new Map(events.map((event) => [event, oppositions.of(event)]))
}

/** The oppositions of events, indexed by the erased memories that they name: with many erased, a search for each takes long. */
class Oppositions {
  readonly #erased: ReadonlySet<MemoryId>
  readonly #byEvent = new Map<Recorded, Set<Opposition>>()
  readonly #byErased = new Map<MemoryId, Map<Recorded, Set<Opposition>>>()

  constructor(erased: ReadonlySet<MemoryId>) {
    this.#erased = erased
  }

  add(event: Recorded, { ...one }: Opposition): void {
    addTo(this.#byEvent, event, one)
    for (const id of new Set([memoryOf(one.by), memoryOf(one.against)])) {
      if (!this.#erased.has(id)) continue
      addTo(
        getOrAdd(this.#byErased, id, () => new Map()),
        event,
        one,
      )
    }
  }

  of(event: Recorded): Opposition[] {
    return [...(this.#byEvent.get(event) ?? [])]
  }

  /** Takes out the oppositions that name an erased memory, event by event in order. */
  *takeOut(id: MemoryId): Generator<[Recorded, readonly Opposition[]]> {
    const naming = [...(this.#byErased.get(id) ?? [])].sort(([a], [b]) => a.place - b.place)
    for (const [event, all] of naming) {
      const left = this.#byEvent.get(event)
      // The others were taken out with another erased memory.
      const list = [...all].filter((one) => left?.delete(one))
      if (list.length > 0) yield [event, list]
    }
  }
}

/** An opposition by an erased memory: its claim `by` opposed `against`. */
interface Had extends Omit<Opposition, 'effect'> {
  readonly place: number
}

function takenOver(
  event: Recorded,
  { by, against: lost }: Omit<Opposition, 'effect'>,
  had: readonly Had[],
  splits: Splits,
  judgement: Judgement,
): Opposition[] {
  const { states, named } = eventOf(event, event.decisions.bears)
  return had
    .filter(({ place }) => place < event.place)
    .flatMap((one) => goneWith({ id: lost, place: event.place }, by, one, splits, judgement) ?? [])
    .filter((against) => !states(against) && !named.has(memoryOf(against)))
    .map((against) => ({ by, against, effect: 'noted' }))
}

/** The claim that `by`, which replaced the erased claim `lost`, now opposes; undefined if it opposes none. */
function goneWith(
  lost: { readonly id: ClaimId; readonly place: number },
  by: ClaimId,
  { by: had, against, place }: Had,
  splits: Splits,
  judgement: Judgement,
): ClaimId | undefined {
  const [field, other] = [splits.slotOf(lost.id, lost.place), splits.slotOf(against, place)]
  if (field === undefined && other === undefined) {
    const [a, b] = [memoryOf(by), memoryOf(against)]
    return judgement.sameThing(a, b) && !judgement.saysTheSame(a, b) ? against : undefined
  }
  if (field === undefined) return against
  if (other !== undefined)
    return other === field || (had === lost.id && fieldOf(had) !== undefined) ? against : undefined
  const memory = memoryOf(against)
  const fields = judgement.fieldsOf(memory)
  const name = fields?.written.get(field)
  if (fields === undefined || name === undefined) return undefined
  return claimsIn(fields).length === 1 ? memory : claimOfField(memory, name)
}

/** Which fields of memories had been split off by which place, and so which fields each memory still held. */
class Splits {
  readonly #judgement: Judgement
  readonly #of = new Map<MemoryId, { readonly place: number; readonly id: ClaimId }[]>()

  constructor(judgement: Judgement) {
    this.#judgement = judgement
  }

  add({ place, decisions: { bears, opposes } }: Recorded): void {
    for (const id of [...bears.flat(), ...opposes.flatMap(({ by, against }) => [by, against])]) {
      if (fieldOf(id) !== undefined) listOf(this.#of, memoryOf(id)).push({ place, id })
    }
  }

  /** The slot that a claim held at a place. */
  slotOf(id: ClaimId, place: number): string | undefined {
    const parts = () => this.#of.get(memoryOf(id))?.flatMap((one) => (one.place <= place ? one.id : [])) ?? []
    return slotOf(id, { parts }, this.#judgement)
  }
}
