import type { MemoryId } from '../../model.js'
import type { Judgement } from '../claims/claims.js'
import type { Opposition, Recorded } from '../claims/types.js'
import { eventOf } from '../decide/event.js'

/**
 * What each event opposes once some memories are gone: whatever opposed an erased one opposes what that one had
 * opposed until then. The texts of the erased must still be there to be judged.
 */
export function inherited(
  events: readonly Recorded[],
  erased: ReadonlySet<MemoryId>,
  judgement: Judgement,
): Map<Recorded, readonly Opposition[]> {
  const opposes = new Map(events.map((event) => [event, event.decisions.opposes]))
  for (const id of [...erased].sort()) {
    const had: { place: number; against: MemoryId }[] = []
    for (const [event, list] of opposes) {
      const passedOn = list.flatMap(({ by, against }) =>
        against === id ? takenOver(event, by, had, judgement) : [],
      )
      for (const { by, against } of list) if (by === id) had.push({ place: event.place, against })
      if (list.some(({ by, against }) => by === id || against === id))
        opposes.set(event, [
          ...list.filter(({ by, against }) => by !== id && against !== id),
          ...passedOn.filter(({ by }) => by !== id),
        ])
    }
  }
  return opposes
}

function takenOver(
  event: Recorded,
  by: MemoryId,
  had: readonly { readonly place: number; readonly against: MemoryId }[],
  judgement: Judgement,
): Opposition[] {
  const { stated, named } = eventOf(event, event.decisions.bears)
  return had
    .filter(({ place, against }) => place < event.place && !stated.has(against) && !named.has(against))
    .filter(({ against }) => judgement.sameThing(by, against) && !judgement.saysTheSame(by, against))
    .map(({ against }) => ({ by, against, effect: 'noted' }))
}
