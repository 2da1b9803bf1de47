import { isMemoryId } from '../ids.js'
import type { MemoryId } from '../model.js'
import type { Claims } from './claims.js'
import { decide } from './decide.js'
import type { Decisions, Recorded } from './types.js'

/** Why the decisions kept with an event cannot have come from the rules; undefined when they can. */
export function check(recorded: Recorded, claims: Claims): string | undefined {
  const { decisions, ...statement } = recorded
  const { links, claim } = statement
  if (decisions.bears.length > links.length) return 'More is decided than there are links.'
  const named = new Set(links.map(({ target }) => target))
  for (const [i, ids] of decisions.bears.entries()) {
    const target = links[i]?.target ?? ''
    if (isMemoryId(target)) {
      if (ids.some((id) => id !== target)) return `A link to ${target} bears on another memory.`
      continue
    }
    for (const id of ids) {
      if (id === claim || named.has(id)) return `A link to ${target} bears on ${id}, which the event names.`
      if (claims.get(id)?.contextId !== target)
        return `A link to ${target} bears on ${id}, which is not there.`
    }
  }
  for (const { by, against } of decisions.opposes)
    for (const id of [by, against])
      if (id !== claim && claims.get(id) === undefined) return `The graph has no memory ${id} at that place.`
  const pairs = new Set(decisions.opposes.map(({ by, against }) => `${by} ${against}`))
  const decided = (isBarred: (id: MemoryId) => boolean) =>
    decide(
      statement,
      claims,
      { sameThing: (a, b) => pairs.has(`${a} ${b}`) || isBarred(a), saysTheSame: () => false },
      decisions,
    )
  const kept = new Set(decisions.returns.map((one) => one.claim))
  const more = new Set(
    decided(() => false)
      .returns.map((one) => one.claim)
      .filter((id) => !kept.has(id)),
  )
  // What barred a claim from returning may be any claim in its place: those verdicts are not kept.
  const expected = decided((id) => more.has(id))
  return summary(expected) === summary(decisions) ? undefined : 'The decisions do not follow from the rules.'
}

function summary({ opposes, reinforces, returns }: Decisions): string {
  const lines = [
    ...opposes.map(({ by, against, effect }) => `${by} ${effect} ${against}`),
    ...reinforces.map(({ claim, effect }) => `${effect} ${claim}`),
    ...returns.map(({ claim, disputed }) => `${claim} returns ${disputed}`),
  ]
  return lines.sort().join('\n')
}
