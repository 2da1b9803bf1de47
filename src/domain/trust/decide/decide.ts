import type { Json, MemoryId } from '../../model.js'
import { Changes, splitOff } from '../claims/changes.js'
import { type Claims, claimsOf, type Judgement, slotOf, stands } from '../claims/claims.js'
import { prevails } from '../claims/rank.js'
import {
  type Claim,
  type Decisions,
  freshClaim,
  NOTHING_DECIDED,
  type Opposition,
  type Return,
  type Statement,
} from '../claims/types.js'
import { agree, type ClaimId, memoryOf } from '../fields.js'
import { bearings, opposingClaims } from './bearing.js'
import { type Case, contextsIn, eventOf, isLateBehind, isWrongBy } from './event.js'
import { comingBack, opposedWith, settledBy } from './opposition.js'

const MAX_REPLACED = 1000

/** The part of earlier decisions that holds when an event is decided again. */
type EarlierDecisions = Pick<Decisions, 'bears' | 'opposes' | 'against' | 'wholes' | 'lost' | 'unresolved'>

/**
 * What an event does, by the claims as they were before it. With `earlier` decisions its links bear on the claims that
 * these name, and it opposes at least the claims that it opposed then.
 */
export function decide(
  statement: Statement,
  claims: Claims,
  judgement: Judgement,
  earlier?: EarlierDecisions,
): Decisions {
  if (statement.first && statement.links.length === 0 && earlier === undefined) return NOTHING_DECIDED
  const { bears, unresolved } = earlier ?? bearings(statement, claims, judgement)
  const event = eventOf(statement, bears)
  const before = earlier?.opposes ?? []
  const opposersOf =
    earlier === undefined
      ? opposingClaims(statement, [...event.contradicted], claims, judgement)
      : (against: ClaimId) => earlierOpposersOf(against, statement.claim, before)
  const split = new Changes(claims)
  if (statement.first) split.put(freshClaim(statement))
  const oppositions = before.flatMap(({ by, against }) => [by, against])
  for (const id of [...bears.flat(), ...[...event.contradicted].flatMap(opposersOf), ...oppositions])
    splitOff(id, split)
  const on: Deciding = {
    event,
    claims: split,
    judgement,
    earlier: earlier && new Map(before.map((one) => [pairKey(one), one.effect])),
    pairs: new Map(),
    returns: [],
    standingAfter: new Set(),
  }
  oppose(opposersOf, on)
  for (const { by, against } of before) addPair(by, against, on)
  const isStanding = claimsOf(statement.claim, split).some(({ id }) => on.standingAfter.has(id))
  const reinforces = [...event.reinforced].map((claim) => ({
    claim,
    effect: isStanding && on.standingAfter.has(claim) ? ('reinforces' as const) : ('noted' as const),
  }))
  for (const pair of [...on.pairs.values()]) for (const id of alsoOpposed(pair, on)) addPair(pair.by, id, on)
  const isUnresolved = (link: number) => unresolved.some((one) => one.link === link)
  return {
    bears,
    opposes: effectsOn([...on.pairs.values()], on),
    reinforces,
    returns: on.returns,
    against: earlier?.against ?? contextsIn(statement, 'contradiction', isUnresolved),
    wholes: earlier?.wholes ?? contextsIn(statement, 'extension', (link) => bears[link]?.length === 0),
    lost: earlier?.lost ?? [],
    unresolved,
  }
}

/** The claims of an event that opposed a claim when the event was decided before. */
function earlierOpposersOf(
  against: ClaimId,
  claim: MemoryId,
  opposes: readonly Opposition[],
): readonly ClaimId[] {
  const own = opposes.filter((one) => one.against === against && memoryOf(one.by) === claim)
  return own.length === 0 ? [claim] : own.map(({ by }) => by)
}

/** `by` opposes `against`. */
type Pair = Omit<Opposition, 'effect'>

/** An event, and what is decided of it so far. */
interface Deciding extends Case {
  /** The effects of an event that was decided before, so that texts are not judged again. */
  readonly earlier: ReadonlyMap<string, Opposition['effect']> | undefined
  /** The claims that oppose each other, in the order of finding. */
  readonly pairs: Map<string, Pair>
  readonly returns: Return[]
  /** The claims that the event states and that stand after it. */
  readonly standingAfter: Set<ClaimId>
}

function pairKey({ by, against }: Pair): string {
  return `${by} ${against}`
}

/** Each pair once, and none between two claims that the event states. */
function addPair(by: ClaimId, against: ClaimId, { event, pairs }: Deciding): void {
  const pair = { by, against }
  if (event.states(by) && !event.states(against)) pairs.set(pairKey(pair), pair)
}

/** The claims that the event opposes by its links and by restating claims; the effects are decided later. */
function oppose(opposersOf: (against: ClaimId) => readonly ClaimId[], on: Deciding): void {
  const { event, claims, standingAfter } = on
  const { statement, contradicted, reinforced } = event
  for (const { id } of claimsOf(statement.claim, claims)) {
    if (statement.first) standingAfter.add(id)
    else restate(id, on)
  }
  for (const id of contradicted)
    for (const by of opposersOf(id)) {
      addPair(by, id, on)
      const other = claims.get(id)
      if (!standingAfter.has(by) || other === undefined) continue
      for (const each of opposedWith(by, other, on)) addPair(by, each.id, on)
    }
  if (standingAfter.size > 0) for (const id of reinforced) restate(id, on)
}

/** The event states a claim that was recorded before: its own, or one that it reinforces. */
function restate(id: ClaimId, on: Deciding): void {
  const claim = on.claims.get(id)
  if (claim === undefined) return
  if (stands(claim)) {
    on.standingAfter.add(id)
    for (const other of settledBy(claim, on)) addPair(id, other.id, on)
    return
  }
  const back = comingBack(claim, on)
  if (back === undefined) return
  on.standingAfter.add(id)
  on.returns.push({ claim: id, disputed: back.disputed })
  for (const other of back.opposes) addPair(id, other.id, on)
}

/**
 * The claims that the event opposes besides `against`: if the event is late behind `against` or says that it was wrong, the
 * claims that `against` replaced, since the event comes between them; and, further down that chain, those it names as wrong.
 */
function alsoOpposed({ by, against }: Pair, on: Deciding): readonly ClaimId[] {
  const { claims, earlier, standingAfter } = on
  if (earlier !== undefined || !standingAfter.has(by)) return []
  const isNamedWrong = (id: ClaimId) => id !== against && isWrong({ by, against: id }, on)
  const found = new Set(namedBelow(against, on).filter(isNamedWrong))
  const queue = [against, ...found]
  for (let id = queue.pop(); id !== undefined && found.size < MAX_REPLACED; id = queue.pop()) {
    const wasWrong = isWrong({ by, against: id }, on)
    if (!wasWrong && !isLate({ by, against: id }, on)) continue
    for (const other of claims.supersedes(id)) {
      if (found.has(other) || other === by || claims.get(other)?.spell.isWrong) continue
      if (wasWrong && !saysOtherThan(other, by, id, on)) continue
      found.add(other)
      queue.push(other)
    }
  }
  return [...found].sort()
}

/** Does `by`, which says that `wrong` was wrong, give another value than `before`? Merely calling off `wrong` gives none. */
function saysOtherThan(
  before: ClaimId,
  by: ClaimId,
  wrong: ClaimId,
  { event, claims, judgement }: Deciding,
): boolean {
  const [own, theirs] = [by, before].map((id) => judgement.fieldsOf(memoryOf(id)))
  const slot = slotOf(before, claims, judgement)
  const slots = slot === undefined ? (theirs?.slots ?? []) : [slot]
  const isOther = (key: string) => !agree(own?.values.get(key), theirs?.values.get(key))
  if (slots.length > 0) return slots.some((key) => own?.values.has(key) === true && isOther(key))
  return event.statement.from >= (claims.get(wrong)?.spell.from ?? '')
}

function effectsOn(pairs: readonly Pair[], on: Deciding): Opposition[] {
  const late = new Set(pairs.filter((pair) => isLate(pair, on)).map(({ by }) => by))
  return pairs.map((pair) => ({ ...pair, effect: effectOf(pair, late.has(pair.by), on) }))
}

/**
 * The effect of `by`, a claim of the event, on `against`. The first line that applies decides. In the examples a value is a
 * rent with its `from`, recorded by an agent unless another source is named; the event is what comes after the arrow.
 *
 *     noted       `by` does not stand after the event
 *                   900, a user's 1000 replaces it -> an agent repeats 900 with a link against X: 900 noted X
 *     late        `by` begins before `against` and does not say that `against` was wrong, or `against` is an exception
 *                   1000 from 2023 -> 900 from 2021: 900 late 1000, which goes on; 900 holds until 2023
 *       The source ranks at least as high as `against`:
 *     corrects    `against` never held or never will: the event names its memory and begins no later, or calls it off
 *                   12 from May -> 21 from May against that memory: 21 corrects 12
 *     ends        `against` holds until some time, and the event has no value for its field
 *                   "opens: 10" until Friday -> "the exception is over" against that memory: the event ends 10
 *     supersedes  `against` stands, or will once the event has corrected all that replaced it
 *                   950 -> 1000: 1000 supersedes 950
 *     joins       `against` is superseded already
 *                   900 from 2019, replaced by 1000 from 2023 -> 950 from 2021: 950 late 1000, 950 joins 900
 *       The source is weaker than `against`:
 *     late        `by` is late behind another claim, and `against` is superseded
 *                   the example of `joins`, with 900 and 1000 a user's: 950 late 1000, 950 late 900
 *     disputes    `against` stands
 *                   a user's 950 -> 1000: 1000 disputes 950
 *     noted       otherwise
 *                   a user's 950, replaced by a user's 1000 -> 1000 against the memory of 950: the event noted 950
 */
function effectOf(pair: Pair, isLateBehindOther: boolean, on: Deciding): Opposition['effect'] {
  const other = on.claims.get(pair.against)
  if (other === undefined || !on.standingAfter.has(pair.by)) return 'noted'
  if (isLate(pair, on)) return 'late'
  const isStanding = willStand(other, pair.by, on)
  if (prevails(on.event.statement.source, other)) {
    if (isWrong(pair, on)) return 'corrects'
    if (isEnded(pair, on)) return 'ends'
    return isStanding ? 'supersedes' : 'joins'
  }
  // A weaker source does not replace the claim of a stronger one for the time before.
  if (isLateBehindOther) return isStanding ? 'noted' : 'late'
  return isStanding ? 'disputes' : 'noted'
}

function isLate(pair: Pair, on: Deciding): boolean {
  const other = on.claims.get(pair.against)
  if (other === undefined || !on.standingAfter.has(pair.by)) return false
  return (isLateBehind(on.event, other) && !isCalledOff(pair, on)) || isException(pair, other, on)
}

/** Is `against` still to come, and does the event, against its context, give the value that holds until then? */
function isCalledOff(pair: Pair, on: Deciding): boolean {
  const { claims, judgement } = on
  const { statement } = on.event
  const other = claims.get(pair.against)
  if (other === undefined || other.spell.from <= statement.recordedAt) return false
  return textsSay(pair, 'corrects', on, (mine, key) =>
    [...claims.supersedes(pair.against)].some((id) => {
      const before = claims.get(id)
      if (before === undefined || before.spell.from > statement.recordedAt) return false
      return agree(mine, judgement.fieldsOf(memoryOf(id))?.values.get(key))
    }),
  )
}

/**
 * Does `against` end after the event begins, while the event names only a memory that `against` replaced? Then the event
 * replaces that memory, and holds once `against` has ended.
 */
function isException(
  { by, against }: Pair,
  { spell: { until }, supersededBy }: Claim,
  on: Deciding,
): boolean {
  const { statement, corrected } = on.event
  if (until === undefined || until <= statement.from || corrected.has(memoryOf(against))) return false
  const isLeft = supersededBy.every((id) => id === by || isLate({ by, against: id }, on))
  return isLeft && namedBelow(against, on).length > 0
}

/** The claims that the event contradicts by the id of their memory, of a claim and all that it replaced. */
function namedBelow(id: ClaimId, { event: { corrected }, claims }: Deciding): readonly ClaimId[] {
  if (corrected.size === 0) return []
  const below = new Set([id])
  for (const one of below)
    if (below.size < MAX_REPLACED) for (const other of claims.supersedes(one)) below.add(other)
  return [...below].filter((one) => corrected.has(memoryOf(one)))
}

/** Does `other` stand, or will it once the event has corrected all that replaced it? */
function willStand(other: Claim, by: ClaimId, on: Deciding): boolean {
  if (stands(other) || other.spell.isWrong) return stands(other)
  const replacing = other.supersededBy.flatMap((id) => on.claims.get(id) ?? [])
  const isGoing = (one: Claim) => stands(one) && isWrong({ by, against: one.id }, on)
  return replacing.length > 0 && replacing.every(isGoing)
}

function isWrong(pair: Pair, on: Deciding): boolean {
  const other = on.claims.get(pair.against)
  return other !== undefined && (isWrongBy(on.event, other) || isCalledOff(pair, on))
}

/** Does `against` hold until some time, and has the event no value for its field? */
function isEnded(pair: Pair, on: Deciding): boolean {
  const other = on.claims.get(pair.against)
  if (other?.spell.until === undefined || !stands(other)) return false
  return textsSay(pair, 'ends', on, (mine) => mine === undefined)
}

/** Does `isSo` hold of the event's value for the field of `against`? If the event was decided before: had it this effect? */
function textsSay(
  pair: Pair,
  effect: Opposition['effect'],
  { earlier, claims, judgement }: Deciding,
  isSo: (mine: Json | undefined, key: string) => boolean,
): boolean {
  if (earlier !== undefined) return earlier.get(pairKey(pair)) === effect
  const key = slotOf(pair.against, claims, judgement)
  const fields = judgement.fieldsOf(memoryOf(pair.by))
  return key !== undefined && fields !== undefined && isSo(fields.values.get(key), key)
}
