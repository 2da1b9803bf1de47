import type { MemoryId, Source } from '../../model.js'
import { type Claims, type Judgement, stands } from '../claims/claims.js'
import { prevails } from '../claims/rank.js'
import {
  type Claim,
  type Decisions,
  NOTHING_DECIDED,
  type Opposition,
  type Return,
  type Statement,
} from '../claims/types.js'
import { bearings } from './bearing.js'
import { comingBack } from './coming-back.js'
import { boreOnNone, type Event, eventOf } from './event.js'
import { opposedWith, settledBy } from './opposition.js'

/** The part of earlier decisions that holds when an event is reckoned again. */
export type Kept = Pick<Decisions, 'bears' | 'opposes' | 'against' | 'wholes' | 'lost'>

/**
 * What an event does, by the claims as they were before it. With `kept` its links bear on what they bore on, and what
 * it opposed it still opposes.
 */
export function decide(statement: Statement, claims: Claims, judgement: Judgement, kept?: Kept): Decisions {
  if (statement.first && statement.links.length === 0 && kept === undefined) return NOTHING_DECIDED
  const bears = kept?.bears ?? bearings(statement, claims, judgement)
  const event = eventOf(statement, bears)
  const { pairs, returns, standing } = opposition(event, claims, judgement)
  for (const { by, against } of kept?.opposes ?? []) pairs.add(by, against)
  const reinforces = [...event.reinforced].map((claim) => ({
    claim,
    effect:
      standing.has(statement.claim) && standing.has(claim) ? ('reinforces' as const) : ('noted' as const),
  }))
  return {
    bears,
    opposes: pairs.list().map((pair) => ({
      ...pair,
      effect: standing.has(pair.by) ? effectOn(claims.get(pair.against), statement.source) : 'noted',
    })),
    reinforces,
    returns,
    against: kept?.against ?? boreOnNone(statement, bears, 'contradiction'),
    wholes: kept?.wholes ?? boreOnNone(statement, bears, 'extension'),
    lost: kept?.lost ?? [],
  }
}

function effectOn(other: Claim | undefined, source: Source): Opposition['effect'] {
  if (other === undefined) return 'noted'
  if (stands(other)) return prevails(source, other) ? 'supersedes' : 'disputes'
  return prevails(source, other) ? 'joins' : 'noted'
}

interface Opposed {
  readonly pairs: Pairs
  readonly returns: Return[]
  /** The claims of the event that stand after it. */
  readonly standing: Set<MemoryId>
}

function opposition(event: Event, claims: Claims, judgement: Judgement): Opposed {
  const { statement, contradicted, reinforced } = event
  const opposed: Opposed = { pairs: new Pairs(event), returns: [], standing: new Set() }
  if (statement.first) opposed.standing.add(statement.claim)
  else restate(statement.claim, event, claims, judgement, opposed)
  const moves = opposed.standing.has(statement.claim)
  for (const id of contradicted) {
    opposed.pairs.add(statement.claim, id)
    const other = claims.get(id)
    if (!moves || other === undefined) continue
    for (const each of opposedWith(other, event, claims, judgement))
      opposed.pairs.add(statement.claim, each.id)
  }
  if (moves) for (const id of reinforced) restate(id, event, claims, judgement, opposed)
  return opposed
}

/** States a claim that was there before: the event's own, or one that it reinforces. */
function restate(
  id: MemoryId,
  event: Event,
  claims: Claims,
  judgement: Judgement,
  { pairs, returns, standing }: Opposed,
): void {
  const claim = claims.get(id)
  if (claim === undefined) return
  if (stands(claim)) {
    standing.add(id)
    for (const other of settledBy(claim, event, claims)) pairs.add(id, other.id)
    return
  }
  const back = comingBack(claim, event, claims, judgement)
  if (back === undefined) return
  standing.add(id)
  returns.push({ claim: id, disputed: back.disputed })
  for (const other of back.opposes) pairs.add(id, other.id)
}

/** Each pair once, in the order of finding; none between claims that the event states itself. */
class Pairs {
  readonly #event: Event
  readonly #pairs = new Map<string, Omit<Opposition, 'effect'>>()

  constructor(event: Event) {
    this.#event = event
  }

  add(by: MemoryId, against: MemoryId): void {
    if (this.#event.stated.has(by) && !this.#event.stated.has(against))
      this.#pairs.set(`${by} ${against}`, { by, against })
  }

  list(): Omit<Opposition, 'effect'>[] {
    return [...this.#pairs.values()]
  }
}
