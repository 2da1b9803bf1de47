import type { Json } from '../../model.js'
import { Changes, splitOff } from '../claims/changes.js'
import { type Claims, claimsOf, type Judgement, stands } from '../claims/claims.js'
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
import { contextsIn, type Event, eventOf, isLateBehind, isWrongBy } from './event.js'
import { slotOf } from './key-of.js'
import { comingBack, opposedWith, settledBy } from './opposition.js'

const MAX_REPLACED = 1000

/** The part of earlier decisions that holds when an event is reckoned again. */
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
  const opposersOf =
    earlier === undefined
      ? opposingClaims(statement, [...event.contradicted], claims, judgement)
      : earlierOpposersOf
  const split = new Changes(claims)
  function earlierOpposersOf(against: ClaimId): readonly ClaimId[] {
    const isOwn = (one: Opposition) => one.against === against && memoryOf(one.by) === statement.claim
    const all = earlier?.opposes.filter(isOwn).map(({ by }) => by) ?? []
    return all.length === 0 ? [statement.claim] : all
  }
  if (statement.first) split.put(freshClaim(statement))
  const oppositions = earlier?.opposes.flatMap(({ by, against }) => [by, against]) ?? []
  for (const id of [...bears.flat(), ...[...event.contradicted].flatMap(opposersOf), ...oppositions])
    splitOff(id, split)
  const { pairs, returns, standingAfter } = opposed(event, opposersOf, split, judgement)
  for (const { by, against } of earlier?.opposes ?? []) pairs.add(by, against)
  const isStanding = claimsOf(statement.claim, split).some(({ id }) => standingAfter.has(id))
  const reinforces = [...event.reinforced].map((claim) => ({
    claim,
    effect: isStanding && standingAfter.has(claim) ? ('reinforces' as const) : ('noted' as const),
  }))
  const effects = new Effects(event, split, judgement, standingAfter, earlier?.opposes)
  for (const pair of pairs.list()) for (const id of effects.alsoOpposed(pair)) pairs.add(pair.by, id)
  const isUnresolved = (link: number) => unresolved.some((one) => one.link === link)
  return {
    bears,
    opposes: effects.of(pairs.list()),
    reinforces,
    returns,
    against: earlier?.against ?? contextsIn(statement, 'contradiction', isUnresolved),
    wholes: earlier?.wholes ?? contextsIn(statement, 'extension', (link) => bears[link]?.length === 0),
    lost: earlier?.lost ?? [],
    unresolved,
  }
}

/** `by` opposes `against`. */
type Pair = Omit<Opposition, 'effect'>

/** Decides what an event does to each claim that it opposes. */
class Effects {
  readonly #event: Event
  readonly #claims: Claims
  readonly #judgement: Judgement
  readonly #standingAfter: ReadonlySet<ClaimId>
  /** The earlier effects, so that texts are not judged again. */
  readonly #earlier: ReadonlyMap<string, Opposition['effect']> | undefined

  constructor(
    event: Event,
    claims: Claims,
    judgement: Judgement,
    standingAfter: ReadonlySet<ClaimId>,
    earlier: readonly Opposition[] | undefined,
  ) {
    this.#event = event
    this.#claims = claims
    this.#judgement = judgement
    this.#standingAfter = standingAfter
    this.#earlier = earlier && new Map(earlier.map(({ by, against, effect }) => [`${by} ${against}`, effect]))
  }

  /**
   * The claims that the event opposes besides `against`: if the event is late behind `against` or says that it was wrong, the
   * claims that `against` replaced, since the event comes between them; and, further down that chain, those it names as wrong.
   */
  alsoOpposed({ by, against }: Pair): readonly ClaimId[] {
    if (this.#earlier !== undefined || !this.#standingAfter.has(by)) return []
    const isNamedWrong = (id: ClaimId) => id !== against && this.#isWrong({ by, against: id })
    const found = new Set(this.#namedBelow(against).filter(isNamedWrong))
    const queue = [against, ...found]
    for (let id = queue.pop(); id !== undefined && found.size < MAX_REPLACED; id = queue.pop()) {
      const isWrong = this.#isWrong({ by, against: id })
      if (!isWrong && !this.#isLate({ by, against: id })) continue
      for (const other of this.#claims.supersedes(id)) {
        if (found.has(other) || other === by || this.#claims.get(other)?.spell.isWrong) continue
        if (isWrong && !this.#saysOtherThan(other, by, id)) continue
        found.add(other)
        queue.push(other)
      }
    }
    return [...found].sort()
  }

  /** Does `by`, which says that `wrong` was wrong, give another value than `before`? Merely calling off `wrong` gives none. */
  #saysOtherThan(before: ClaimId, by: ClaimId, wrong: ClaimId): boolean {
    const [own, theirs] = [by, before].map((id) => this.#judgement.fieldsOf(memoryOf(id)))
    const slot = slotOf(before, this.#claims, this.#judgement)
    const slots = slot === undefined ? (theirs?.slots ?? []) : [slot]
    const isOther = (key: string) => !agree(own?.values.get(key), theirs?.values.get(key))
    if (slots.length > 0) return slots.some((key) => own?.values.has(key) === true && isOther(key))
    return this.#event.statement.from >= (this.#claims.get(wrong)?.spell.from ?? '')
  }

  of(pairs: readonly Pair[]): Opposition[] {
    const late = new Set(pairs.filter((pair) => this.#isLate(pair)).map(({ by }) => by))
    return pairs.map((pair) => ({ ...pair, effect: this.#effect(pair, late.has(pair.by)) }))
  }

  /**
   * The effect of `by`, a claim of the event, on `against`. The first line that applies decides. In the examples a value is a
   * rent with its `from`, recorded by an agent unless somebody else is named; the event is what comes after the arrow.
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
  #effect(pair: Pair, isLateBehindOther: boolean): Opposition['effect'] {
    const other = this.#claims.get(pair.against)
    if (other === undefined || !this.#standingAfter.has(pair.by)) return 'noted'
    if (this.#isLate(pair)) return 'late'
    const isStanding = this.#willStand(other, pair.by)
    if (prevails(this.#event.statement.source, other)) {
      if (this.#isWrong(pair)) return 'corrects'
      if (this.#isEnded(pair)) return 'ends'
      return isStanding ? 'supersedes' : 'joins'
    }
    // A weaker source does not replace the claim of a stronger one for the time before.
    if (isLateBehindOther) return isStanding ? 'noted' : 'late'
    return isStanding ? 'disputes' : 'noted'
  }

  #isLate(pair: Pair): boolean {
    const other = this.#claims.get(pair.against)
    if (other === undefined || !this.#standingAfter.has(pair.by)) return false
    return (isLateBehind(this.#event, other) && !this.#isCalledOff(pair)) || this.#isException(pair, other)
  }

  /** Is `against` still to come, and does the event, against its context, give the value that holds until then? */
  #isCalledOff(pair: Pair): boolean {
    const { statement } = this.#event
    const other = this.#claims.get(pair.against)
    if (other === undefined || other.spell.from <= statement.recordedAt) return false
    return this.#textsSay(pair, 'corrects', (mine, key) =>
      [...this.#claims.supersedes(pair.against)].some((id) => {
        const before = this.#claims.get(id)
        if (before === undefined || before.spell.from > statement.recordedAt) return false
        return agree(mine, this.#judgement.fieldsOf(memoryOf(id))?.values.get(key))
      }),
    )
  }

  /**
   * Does `against` end after the event begins, while the event names only a memory that `against` replaced? Then the event
   * replaces that memory, and holds once `against` has ended.
   */
  #isException({ by, against }: Pair, { spell: { until }, supersededBy }: Claim): boolean {
    const { statement, corrected } = this.#event
    if (until === undefined || until <= statement.from || corrected.has(memoryOf(against))) return false
    const isLeft = supersededBy.every((id) => id === by || this.#isLate({ by, against: id }))
    return isLeft && this.#namedBelow(against).length > 0
  }

  /** The claims that the event contradicts by the id of their memory, of a claim and all that it replaced. */
  #namedBelow(id: ClaimId): readonly ClaimId[] {
    const { corrected } = this.#event
    if (corrected.size === 0) return []
    const below = new Set([id])
    for (const one of below)
      if (below.size < MAX_REPLACED) for (const other of this.#claims.supersedes(one)) below.add(other)
    return [...below].filter((one) => corrected.has(memoryOf(one)))
  }

  /** Does `other` stand, or will it once the event has corrected all that replaced it? */
  #willStand(other: Claim, by: ClaimId): boolean {
    if (stands(other) || other.spell.isWrong) return stands(other)
    const replacing = other.supersededBy.flatMap((id) => this.#claims.get(id) ?? [])
    const isGoing = (one: Claim) => stands(one) && this.#isWrong({ by, against: one.id })
    return replacing.length > 0 && replacing.every(isGoing)
  }

  #isWrong(pair: Pair): boolean {
    const other = this.#claims.get(pair.against)
    return other !== undefined && (isWrongBy(this.#event, other) || this.#isCalledOff(pair))
  }

  /** Does `against` hold until some time, and has the event no value for its field? */
  #isEnded(pair: Pair): boolean {
    const other = this.#claims.get(pair.against)
    if (other?.spell.until === undefined || !stands(other)) return false
    return this.#textsSay(pair, 'ends', (mine) => mine === undefined)
  }

  /** Does `isSo` hold of the event's value for the field of `against`? If the event was decided before: had it this effect? */
  #textsSay(
    { by, against }: Pair,
    effect: Opposition['effect'],
    isSo: (mine: Json | undefined, key: string) => boolean,
  ): boolean {
    if (this.#earlier !== undefined) return this.#earlier.get(`${by} ${against}`) === effect
    const key = slotOf(against, this.#claims, this.#judgement)
    const fields = this.#judgement.fieldsOf(memoryOf(by))
    return key !== undefined && fields !== undefined && isSo(fields.values.get(key), key)
  }
}

interface Opposed {
  readonly pairs: Pairs
  readonly returns: Return[]
  /** The claims that the event states and that stand after it. */
  readonly standingAfter: Set<ClaimId>
}

/** The claims that the event opposes by its links and by restating claims; the effects are decided later. */
function opposed(
  event: Event,
  opposersOf: (against: ClaimId) => readonly ClaimId[],
  claims: Claims,
  judgement: Judgement,
): Opposed {
  const { statement, contradicted, reinforced } = event
  const found: Opposed = { pairs: new Pairs(event), returns: [], standingAfter: new Set() }
  for (const { id } of claimsOf(statement.claim, claims)) {
    if (statement.first) found.standingAfter.add(id)
    else restate(id, event, claims, judgement, found)
  }
  for (const id of contradicted)
    for (const by of opposersOf(id)) {
      found.pairs.add(by, id)
      const other = claims.get(id)
      if (!found.standingAfter.has(by) || other === undefined) continue
      for (const each of opposedWith(by, other, event, claims, judgement)) found.pairs.add(by, each.id)
    }
  if (found.standingAfter.size > 0) for (const id of reinforced) restate(id, event, claims, judgement, found)
  return found
}

/** The event states a claim that was recorded before: its own, or one that it reinforces. */
function restate(
  id: ClaimId,
  event: Event,
  claims: Claims,
  judgement: Judgement,
  { pairs, returns, standingAfter }: Opposed,
): void {
  const claim = claims.get(id)
  if (claim === undefined) return
  if (stands(claim)) {
    standingAfter.add(id)
    for (const other of settledBy(claim, event, claims)) pairs.add(id, other.id)
    return
  }
  const back = comingBack(claim, event, claims, judgement)
  if (back === undefined) return
  standingAfter.add(id)
  returns.push({ claim: id, disputed: back.disputed })
  for (const other of back.opposes) pairs.add(id, other.id)
}

/** The pairs of claims that oppose each other: each once, in the order of finding, none between two that the event states. */
class Pairs {
  readonly #event: Event
  readonly #pairs = new Map<string, Pair>()

  constructor(event: Event) {
    this.#event = event
  }

  add(by: ClaimId, against: ClaimId): void {
    if (this.#event.states(by) && !this.#event.states(against))
      this.#pairs.set(`${by} ${against}`, { by, against })
  }

  list(): Pair[] {
    return [...this.#pairs.values()]
  }
}
