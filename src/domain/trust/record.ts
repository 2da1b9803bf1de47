/**
 * Which claims stand: the rules of trust as pure functions over claims in memory.
 *
 *     claim        what one memory says, with its trust state; each event that says it states the claim
 *     field claim  one field of a memory as a claim of its own; it is split off the memory when an event first names it
 *     spell        a time in the world during which a claim holds, from its `from` until its `until`
 *     line         the spells that replace each other; of those that have begun and not ended, one stands: the last to begin
 *     bears on     a link of an event bears on the claims that it means, as `bears` says for each link
 *     stands       a claim stands while it is not superseded; at a given time it must also have begun and not ended
 *     rank         how far the most trusted source that stated a claim is trusted; a lower rank replaces no higher one
 *     effect       what an event does to a claim that it opposes: the table in decide/decide.ts
 *
 * Recording. For each event of a request, in order: `refuseBothWays` (links.ts), then `record`, with one `Changes`
 * for the whole request over the claims of the store. The event is written with its `decisions`; `changes.claims` and
 * `changes.disputes` are what changes: a `ClaimTable` commits them once the events are durable.
 *
 * Replaying. A restart, a restore or an import calls `replay` for each event in order: it applies the recorded
 * decisions and judges nothing. An import calls `check` (check.ts) on each event before.
 *
 * Reading. `assess` (assess.ts) for status, confidence and source, with `staleness` (staleness.ts) asked of the
 * memories that are shown; `recordsAgainst` (assess.ts) for contradictions of a context as a whole; `effectsOf` for
 * the receipt.
 *
 * Erasing. `connectedWith` (erasure.ts) names the claims to decide again; `decideWithout` is given all
 * their events, while the texts are still there, and returns the events that remain with their decisions. These events
 * are replayed.
 */
import type { MemoryId } from '../model.js'
import type { Changes } from './claims/changes.js'
import type { Judgement } from './claims/claims.js'
import type { Effect, Recorded, Statement } from './claims/types.js'
import { apply } from './decide/apply.js'
import { decide } from './decide/decide.js'
import { eventOf } from './decide/event.js'
import { type ClaimId, memoryOf } from './fields.js'

/** Decides what an event does and applies it to the changes. */
export function record(statement: Statement, changes: Changes, judgement: Judgement): Recorded {
  const decisions = decide(statement, changes, judgement)
  apply(statement, decisions, changes)
  return { ...statement, decisions }
}

/** Applies an event with its recorded decisions, judging nothing. */
export function replay(recorded: Recorded, changes: Changes): void {
  apply(recorded, recorded.decisions, changes)
}

/** The effect of the event on another memory, and the claims of that memory that it concerns. */
export interface MemoryEffect {
  readonly memory: MemoryId
  readonly effect: Effect
  readonly claims: readonly ClaimId[]
}

/** The effects of the event on other memories, for its receipt: each memory once for each effect. */
export function effectsOf({ decisions, ...statement }: Recorded): MemoryEffect[] {
  const { extended, contradicted } = eventOf(statement, decisions.bears)
  const opposed = decisions.opposes.flatMap(({ against, effect }): { claim: ClaimId; effect: Effect }[] => {
    if (effect === 'corrects' || effect === 'ends') return [{ claim: against, effect: 'supersedes' }]
    if (effect === 'supersedes' || effect === 'disputes') return [{ claim: against, effect }]
    if (!contradicted.has(against)) return []
    return [{ claim: against, effect: effect === 'late' ? effect : 'noted' }]
  })
  const effects = new Map<string, { memory: MemoryId; effect: Effect; claims: ClaimId[] }>()
  for (const { claim, effect } of [
    ...opposed,
    ...decisions.reinforces,
    ...Array.from(extended, (id) => ({ claim: id, effect: 'extends' as const })),
  ]) {
    const memory = memoryOf(claim)
    const known = effects.get(`${memory} ${effect}`)
    if (known === undefined) effects.set(`${memory} ${effect}`, { memory, effect, claims: [claim] })
    else if (!known.claims.includes(claim)) known.claims.push(claim)
  }
  return [...effects.values()]
}
