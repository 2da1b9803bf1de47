import type { Source } from '../../model.js'
import { Changes } from '../claims/changes.js'
import { type Claims, claimsOf, type Judgement, stands } from '../claims/claims.js'
import { prevails } from '../claims/rank.js'
import { splitOff } from '../claims/split.js'
import {
  type Claim,
  type Decisions,
  freshClaim,
  NOTHING_DECIDED,
  type Opposition,
  type Return,
  type Statement,
} from '../claims/types.js'
import { type ClaimId, memoryOf } from '../fields.js'
import { bearings, opposingClaim } from './bearing.js'
import { comingBack } from './coming-back.js'
import { contextsIn, type Event, eventOf } from './event.js'
import { opposedWith, settledBy } from './opposition.js'

/** The part of earlier decisions that holds when an event is reckoned again. */
export type Kept = Pick<Decisions, 'bears' | 'opposes' | 'against' | 'wholes' | 'lost' | 'unresolved'>

/**
 * What an event does, by the claims as they were before it. With `kept` its links bear on what they bore on, and what
 * it opposed it still opposes.
 */
export function decide(statement: Statement, claims: Claims, judgement: Judgement, kept?: Kept): Decisions {
  if (statement.first && statement.links.length === 0 && kept === undefined) return NOTHING_DECIDED
  const { bears, unresolved } = kept ?? bearings(statement, claims, judgement)
  const event = eventOf(statement, bears)
  const opposingBy =
    kept === undefined ? opposingClaim(statement, [...event.contradicted], claims, judgement) : keptBy
  const split = new Changes(claims)
  function keptBy(against: ClaimId): ClaimId {
    const isOwn = (one: Opposition) => one.against === against && memoryOf(one.by) === statement.claim
    return kept?.opposes.find(isOwn)?.by ?? statement.claim
  }
  if (statement.first) split.put(freshClaim(statement))
  const oppositions = kept?.opposes.flatMap(({ by, against }) => [by, against]) ?? []
  for (const id of [...bears.flat(), ...[...event.contradicted].map(opposingBy), ...oppositions])
    splitOff(id, split)
  const { pairs, returns, standing } = opposition(event, opposingBy, split, judgement)
  for (const { by, against } of kept?.opposes ?? []) pairs.add(by, against)
  const moves = claimsOf(statement.claim, split).some(({ id }) => standing.has(id))
  const reinforces = [...event.reinforced].map((claim) => ({
    claim,
    effect: moves && standing.has(claim) ? ('reinforces' as const) : ('noted' as const),
  }))
  const isUnresolved = (link: number) => unresolved.some((one) => one.link === link)
  return {
    bears,
    opposes: pairs.list().map((pair) => ({
      ...pair,
      effect: standing.has(pair.by) ? effectOn(split.get(pair.against), statement.source) : 'noted',
    })),
    reinforces,
    returns,
    against: kept?.against ?? contextsIn(statement, 'contradiction', isUnresolved),
    wholes: kept?.wholes ?? contextsIn(statement, 'extension', (link) => bears[link]?.length === 0),
    lost: kept?.lost ?? [],
    unresolved,
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
  readonly standing: Set<ClaimId>
}

function opposition(
  event: Event,
  opposingBy: (against: ClaimId) => ClaimId,
  claims: Claims,
  judgement: Judgement,
): Opposed {
  const { statement, contradicted, reinforced } = event
  const opposed: Opposed = { pairs: new Pairs(event), returns: [], standing: new Set() }
  for (const { id } of claimsOf(statement.claim, claims)) {
    if (statement.first) opposed.standing.add(id)
    else restate(id, event, claims, judgement, opposed)
  }
  for (const id of contradicted) {
    const by = opposingBy(id)
    opposed.pairs.add(by, id)
    const other = claims.get(id)
    if (!opposed.standing.has(by) || other === undefined) continue
    for (const each of opposedWith(by, other, event, claims, judgement)) opposed.pairs.add(by, each.id)
  }
  if (opposed.standing.size > 0) for (const id of reinforced) restate(id, event, claims, judgement, opposed)
  return opposed
}

/** States a claim that was there before: the event's own, or one that it reinforces. */
function restate(
  id: ClaimId,
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

  add(by: ClaimId, against: ClaimId): void {
    if (this.#event.states(by) && !this.#event.states(against))
      this.#pairs.set(`${by} ${against}`, { by, against })
  }

  list(): Omit<Opposition, 'effect'>[] {
    return [...this.#pairs.values()]
  }
}
