import type { Claims, Judgement } from '../claims/claims.js'
import type { Decisions, Recorded } from '../claims/types.js'
import { type ClaimId, memoryOf } from '../fields.js'
import { decide } from './decide.js'
import { eventOf } from './event.js'

/** Why the decisions recorded with an event cannot have come from the rules; undefined when they can. */
export function check(recorded: Recorded, claims: Claims): string | undefined {
  const { decisions, links, claim } = recorded
  if (decisions.bears.length !== links.length) return 'What is decided is not of each of its links.'
  for (const [i, ids] of decisions.bears.entries()) {
    const { kind, target = '' } = links[i] ?? {}
    if (kind === 'related-to') {
      if (ids.length > 0) return `A link to ${target} that is only related bears on ${ids[0]}.`
      continue
    }
    for (const id of ids.map(memoryOf)) {
      if (id === claim && target !== claim) return `A link to ${target} bears on its own memory.`
      if (claims.get(id) === undefined) return `A link to ${target} bears on ${id}, which is not there.`
    }
  }
  for (const { by, against } of decisions.opposes)
    for (const id of [by, against])
      if (memoryOf(id) !== claim && claims.get(memoryOf(id)) === undefined)
        return `The graph has no memory ${id} at that place.`
  return summary(decideLike(recorded, claims)) === summary(decisions)
    ? undefined
    : 'The decisions do not follow from the rules.'
}

type Verdict = (a: ClaimId, b: ClaimId) => boolean

/**
 * Decides anew with verdicts that fit the recorded decisions. Not all verdicts are recorded: for a claim that a link
 * contradicts, and for one that replaced a claim which did not return, any verdict may have been given.
 */
function decideLike({ decisions, ...statement }: Recorded, claims: Claims): Decisions {
  const pairs = new Set(decisions.opposes.map(({ by, against }) => `${by} ${against}`))
  const { contradicted } = eventOf(statement, decisions.bears)
  const verdicts: readonly Verdict[] = [
    (a, b) => pairs.has(`${a} ${b}`) && !contradicted.has(b),
    (a, b) => pairs.has(`${a} ${b}`),
    (_, b) => !contradicted.has(b),
  ]
  const decided = (sameThing: Verdict) => decide(statement, claims, judgedBy(sameThing), decisions)
  const wayOf = ({ returns }: Decisions, id: ClaimId) => returns.find(({ claim }) => claim === id)?.disputed
  const trials = verdicts.map((verdict) => ({ verdict, outcome: decided(verdict) }))
  const fitting = (id: ClaimId) =>
    trials.find(({ outcome }) => wayOf(outcome, id) === wayOf(decisions, id))?.verdict ?? verdicts[0]
  return decided((a, b) => fitting(a)?.(a, b) === true)
}

function judgedBy(decided: Verdict): Judgement {
  return {
    decided,
    sameThing: () => false,
    saysTheSame: () => false,
    fieldsOf: () => undefined,
    likeness: () => 0,
    mayReplace: () => false,
    saysMuchMore: () => true,
  }
}

function summary({ opposes, reinforces, returns }: Decisions): string {
  const lines = [
    ...opposes.map(({ by, against, effect }) => `${by} ${effect} ${against}`),
    ...reinforces.map(({ claim, effect }) => `${effect} ${claim}`),
    ...returns.map(({ claim, disputed }) => `${claim} returns ${disputed}`),
  ]
  return lines.sort().join('\n')
}
