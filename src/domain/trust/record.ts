/**
 * What stands: the rules of trust as pure functions over claims that a store holds or has loaded.
 *
 * Recording. For each event of a request, in order: `refuseBothWays` (refuse.ts), then `record`, with one `Changes`
 * for the whole request over the claims of the store. The event is written with its `decisions`; `changes.claims` and
 * `changes.disputes` are the rows to write. A store that keeps all claims in memory hands in a `ClaimTable` and calls
 * `table.commit(changes)` once the events are durable. A store that loads calls `missing` first, loads what it names,
 * and again, until it names nothing; a recursive query over `superseded_by` from the memories that the event names
 * makes that one or two rounds.
 *
 * Replaying. A restart, a restore or an import calls `replay` for each event in order: it applies the kept decisions
 * and judges nothing. An import calls `check` (check.ts) on each event before.
 *
 * Reading. `assess` (assess.ts) for status, confidence and source, with `staleness` (staleness.ts) asked of the
 * memories that are shown; `recordsAgainst` (against.ts) for contradictions of a context that bore on none;
 * `effectsOf` for the receipt.
 *
 * Erasing. `connectedWith` (connected.ts) names the claims to reckon again; `reckonWithout` (erasure.ts) is given all
 * their events, while the texts are still there, and returns the events that remain with their decisions, the claims
 * and the open contradictions, which replace what was kept of these claims.
 */
import type { ContextId, MemoryId } from '../model.js'
import { Changes } from './claims/changes.js'
import type { Judgement, Loaded } from './claims/claims.js'
import type { Effect, Recorded, Statement } from './claims/types.js'
import { apply } from './decide/apply.js'
import { decide } from './decide/decide.js'
import { eventOf } from './decide/event.js'

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

/** What has to be loaded before an event can be recorded. */
export interface Needs {
  readonly claims: readonly MemoryId[]
  /** Claims whose open contradictions are needed. */
  readonly opponents: readonly MemoryId[]
  /** Contexts whose latest standing memories are needed. */
  readonly contexts: readonly ContextId[]
}

/** What recording the event would ask next; undefined when all of it is loaded. */
export function missing(statement: Statement, loaded: Loaded, judgement: Judgement): Needs | undefined {
  return missingFor(statement, loaded, (changes) => record(statement, changes, judgement))
}

/** What some work on an event, such as replaying it, would ask next. */
export function missingFor(
  statement: Statement,
  loaded: Loaded,
  work: (changes: Changes) => unknown,
): Needs | undefined {
  const claims = new Set<MemoryId>()
  const opponents = new Set<MemoryId>()
  const contexts = new Set<ContextId>()
  const noted = <K, V>(value: V | undefined, key: K, needed: Set<K>) => {
    if (value === undefined) needed.add(key)
    return value
  }
  const tracking = new Changes({
    get: (id) => {
      const claim = loaded.get(id)
      return statement.first && id === statement.claim ? claim : noted(claim, id, claims)
    },
    opponents: (id) => noted(loaded.opponents(id), id, opponents) ?? [],
    standing: (id) => noted(loaded.standing(id), id, contexts) ?? [],
  })
  work(tracking)
  if (claims.size + opponents.size + contexts.size === 0) return undefined
  return { claims: [...claims], opponents: [...opponents], contexts: [...contexts] }
}

/** What the event did to other memories, for its receipt: each memory once for each effect. */
export function effectsOf({ decisions, ...statement }: Recorded): { memory: MemoryId; effect: Effect }[] {
  const { extended, contradicted } = eventOf(statement, decisions.bears)
  const opposed = decisions.opposes.flatMap(({ against, effect }): { memory: MemoryId; effect: Effect }[] => {
    if (effect === 'supersedes' || effect === 'disputes') return [{ memory: against, effect }]
    return contradicted.has(against) ? [{ memory: against, effect: 'noted' }] : []
  })
  const effects = [
    ...opposed,
    ...decisions.reinforces.map(({ claim, effect }) => ({ memory: claim, effect })),
    ...[...extended].map((memory) => ({ memory, effect: 'extends' as const })),
  ]
  return [...new Map(effects.map((one) => [`${one.memory} ${one.effect}`, one])).values()]
}
