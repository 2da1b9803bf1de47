import type { Changes } from '../claims/changes.js'
import { stands, wholeOf } from '../claims/claims.js'
import {
  type Claim,
  MAX_LINKED,
  type Reinforcement,
  type Speakers,
  type Statement,
  speakerOf,
} from '../claims/types.js'
import type { ClaimId } from '../fields.js'

/** Notes that the claim of an event reinforces another one. The reinforcement counts while the first one stands. */
export function reinforce(
  { claim: by, place, source, recordedBy }: Statement,
  id: ClaimId,
  changes: Changes,
): void {
  const [speaker, target] = [changes.get(by), changes.get(id)]
  if (speaker === undefined || target === undefined) return
  const same = (one: Reinforcement) =>
    one.claim === id && one.source === source && one.recordedBy === recordedBy
  const before = speaker.reinforces.find(same)
  if (before === undefined && speaker.reinforces.length >= MAX_LINKED) return
  const after = { claim: id, source, recordedBy, times: (before?.times ?? 0) + 1, last: place }
  changes.put({ ...speaker, reinforces: [...speaker.reinforces.filter((one) => !same(one)), after] })
  if (!stands(wholeOf(by, changes))) return
  changes.put({
    ...target,
    speakers: counted(target.speakers, speakerOf(after), 1),
    stated: { ...target.stated, [source]: place },
    echoes: before !== undefined && isHeard(before, target) ? target.echoes : moved(target, source, 1),
  })
}

/** Adds the reinforcements of a claim that stands again to their targets, or takes away those of a claim that was superseded. */
export function tally(reinforcements: readonly Reinforcement[], sign: 1 | -1, changes: Changes): void {
  for (const reinforcement of reinforcements) {
    const target = changes.get(reinforcement.claim)
    if (target === undefined) continue
    const { source, times } = reinforcement
    changes.put({
      ...target,
      speakers: counted(target.speakers, speakerOf(reinforcement), sign * times),
      echoes: isHeard(reinforcement, target) ? moved(target, source, sign) : target.echoes,
    })
  }
}

function counted(speakers: Speakers, speaker: string, by: number): Speakers {
  const { [speaker]: before = 0, ...others } = speakers
  return before + by <= 0 ? others : { ...others, [speaker]: before + by }
}

function isHeard({ last }: Reinforcement, { rankFrom }: Claim): boolean {
  return last >= (rankFrom?.place ?? 0)
}

function moved({ echoes }: Claim, source: Reinforcement['source'], by: 1 | -1): Claim['echoes'] {
  return { ...echoes, [source]: (echoes[source] ?? 0) + by }
}
