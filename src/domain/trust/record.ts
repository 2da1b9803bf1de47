/**
 * What stands: the rules of trust as pure functions over claims in memory.
 *
 * Recording. For each event of a request, in order: `refuseBothWays` (refuse.ts), then `record`, with one `Changes`
 * for the whole request over the claims of the store. The event is written with its `decisions`; `changes.claims` and
 * `changes.disputes` are what changes: a `ClaimTable` commits them once the events are durable.
 *
 * Replaying. A restart, a restore or an import calls `replay` for each event in order: it applies the kept decisions
 * and judges nothing. An import calls `check` (check.ts) on each event before.
 *
 * Reading. `assess` (assess.ts) for status, confidence and source, with `staleness` (staleness.ts) asked of the
 * memories that are shown; `recordsAgainst` (against.ts) for contradictions of a context that bore on none;
 * `effectsOf` for the receipt.
 *
 * Erasing. `connectedWith` (connected.ts) names the claims to reckon again; `reckonWithout` (erasure.ts) is given all
 * their events, while the texts are still there, and returns the events that remain with their decisions. What is left
 * is replayed.
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

/** Applies an event with what was decided of it, judging nothing. */
export function replay(recorded: Recorded, changes: Changes): void {
  apply(recorded, recorded.decisions, changes)
}

/** What the event did to another memory, and to which of its claims. */
export interface MemoryEffect {
  readonly memory: MemoryId
  readonly effect: Effect
  readonly claims: readonly ClaimId[]
}

/** What the event did to other memories, for its receipt: each memory once for each effect. */
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
