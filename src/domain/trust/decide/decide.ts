import type { Json } from '../../model.js'
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
import { agree, type ClaimId, memoryOf } from '../fields.js'
import { bearings, opposingClaims } from './bearing.js'
import { comingBack } from './coming-back.js'
import { contextsIn, type Event, eventOf, isLateBehind, isWrongBy } from './event.js'
import { slotOf } from './key-of.js'
import { opposedWith, settledBy } from './opposition.js'

const MOST_BEFORE = 1000

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
    kept === undefined ? opposingClaims(statement, [...event.contradicted], claims, judgement) : keptBy
  const split = new Changes(claims)
  function keptBy(against: ClaimId): readonly ClaimId[] {
    const isOwn = (one: Opposition) => one.against === against && memoryOf(one.by) === statement.claim
    const all = kept?.opposes.filter(isOwn).map(({ by }) => by) ?? []
    return all.length === 0 ? [statement.claim] : all
  }
  if (statement.first) split.put(freshClaim(statement))
  const oppositions = kept?.opposes.flatMap(({ by, against }) => [by, against]) ?? []
  for (const id of [...bears.flat(), ...[...event.contradicted].flatMap(opposingBy), ...oppositions])
    splitOff(id, split)
  const { pairs, returns, standing } = opposition(event, opposingBy, split, judgement)
  for (const { by, against } of kept?.opposes ?? []) pairs.add(by, against)
  const moves = claimsOf(statement.claim, split).some(({ id }) => standing.has(id))
  const reinforces = [...event.reinforced].map((claim) => ({
    claim,
    effect: moves && standing.has(claim) ? ('reinforces' as const) : ('noted' as const),
  }))
  const effects = new Effects(event, split, judgement, standing, kept?.opposes)
  for (const pair of pairs.list()) for (const id of effects.before(pair)) pairs.add(pair.by, id)
  const isUnresolved = (link: number) => unresolved.some((one) => one.link === link)
  return {
    bears,
    opposes: effects.of(pairs.list()),
    reinforces,
    returns,
    against: kept?.against ?? contextsIn(statement, 'contradiction', isUnresolved),
    wholes: kept?.wholes ?? contextsIn(statement, 'extension', (link) => bears[link]?.length === 0),
    lost: kept?.lost ?? [],
    unresolved,
  }
}

type Pair = Omit<Opposition, 'effect'>

/** What an event does to what it opposes: what begins before that comes behind it, unless it says that it was wrong. */
class Effects {
  readonly #event: Event
  readonly #claims: Claims
  readonly #judgement: Judgement
  readonly #standing: ReadonlySet<ClaimId>
  /** What texts said is not asked again. */
  readonly #kept: ReadonlyMap<string, Opposition['effect']> | undefined

  constructor(
    event: Event,
    claims: Claims,
    judgement: Judgement,
    standing: ReadonlySet<ClaimId>,
    kept: readonly Opposition[] | undefined,
  ) {
    this.#event = event
    this.#claims = claims
    this.#judgement = judgement
    this.#standing = standing
    this.#kept = kept && new Map(kept.map(({ by, against, effect }) => [`${by} ${against}`, effect]))
  }

  /** What had been replaced by what an event comes behind, or says was wrong: the event belongs between them. */
  before({ by, against }: Pair): readonly ClaimId[] {
    if (this.#kept !== undefined || !this.#standing.has(by)) return []
    const isNamedWrong = (id: ClaimId) => id !== against && this.#isWrong({ by, against: id })
    const found = new Set(this.#named(against).filter(isNamedWrong))
    const queue = [against, ...found]
    for (let id = queue.pop(); id !== undefined && found.size < MOST_BEFORE; id = queue.pop()) {
      const isWrong = this.#isWrong({ by, against: id })
      if (!isWrong && !this.#isLate({ by, against: id })) continue
      for (const other of this.#claims.supersedes(id)) {
        if (found.has(other) || other === by || this.#claims.get(other)?.spell.isWrong) continue
        if (isWrong && !this.#speaksOf(by, other, id)) continue
        found.add(other)
        queue.push(other)
      }
    }
    return [...found].sort()
  }

  of(pairs: readonly Pair[]): Opposition[] {
    const behind = new Set(pairs.filter((pair) => this.#isLate(pair)).map(({ by }) => by))
    return pairs.map((pair) => ({ ...pair, effect: this.#effect(pair, behind.has(pair.by)) }))
  }

  #effect(pair: Pair, isBehind: boolean): Opposition['effect'] {
    const other = this.#claims.get(pair.against)
    if (other === undefined || !this.#standing.has(pair.by)) return 'noted'
    if (this.#isLate(pair)) return 'late'
    const isStanding = this.#willStand(other, pair.by)
    if (prevails(this.#event.statement.source, other)) {
      if (this.#isWrong(pair)) return 'corrects'
      if (this.#isEnded(pair)) return 'ends'
      return isStanding ? 'supersedes' : 'joins'
    }
    // A weaker source does not take the place of what a stronger one said of the time before.
    if (isBehind) return isStanding ? 'noted' : 'late'
    return isStanding ? 'disputes' : 'noted'
  }

  #isLate(pair: Pair): boolean {
    const other = this.#claims.get(pair.against)
    if (other === undefined || !this.#standing.has(pair.by)) return false
    return (isLateBehind(this.#event, other) && !this.#isCalledOff(pair)) || this.#isException(pair, other)
  }

  #isWrong(pair: Pair): boolean {
    const other = this.#claims.get(pair.against)
    return other !== undefined && (isWrongBy(this.#event, other) || this.#isCalledOff(pair))
  }

  /** Once what replaced it turns out wrong, it stands again. */
  #willStand(other: Claim, by: ClaimId): boolean {
    if (stands(other) || other.spell.isWrong) return stands(other)
    const replacing = other.supersededBy.flatMap((id) => this.#claims.get(id) ?? [])
    const isGoing = (one: Claim) => stands(one) && this.#isWrong({ by, against: one.id })
    return replacing.length > 0 && replacing.every(isGoing)
  }

  /** What names something that an exception holds back takes its place, and is held back as well until that ends. */
  #isException({ by, against }: Pair, { spell: { until }, supersededBy }: Claim): boolean {
    const { statement, corrected } = this.#event
    if (until === undefined || until <= statement.from || corrected.has(memoryOf(against))) return false
    const isLeft = supersededBy.every((id) => id === by || this.#isLate({ by, against: id }))
    return isLeft && this.#named(against).length > 0
  }

  /** What the event names by id of a claim and all that it took the place of. */
  #named(id: ClaimId): readonly ClaimId[] {
    const { corrected } = this.#event
    if (corrected.size === 0) return []
    const below = new Set([id])
    for (const one of below)
      if (below.size < MOST_BEFORE) for (const other of this.#claims.supersedes(one)) below.add(other)
    return [...below].filter((one) => corrected.has(memoryOf(one)))
  }

  /** Against a context, the value that holds now calls off the one that was to come. */
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

  /** What holds for a time is ended by a sentence that says no value for it. */
  #isEnded(pair: Pair): boolean {
    const other = this.#claims.get(pair.against)
    if (other?.spell.until === undefined || !stands(other)) return false
    return this.#textsSay(pair, 'ends', (mine) => mine === undefined)
  }

  #textsSay(
    { by, against }: Pair,
    effect: Opposition['effect'],
    isSo: (mine: Json | undefined, key: string) => boolean,
  ): boolean {
    if (this.#kept !== undefined) return this.#kept.get(`${by} ${against}`) === effect
    const key = slotOf(against, this.#claims, this.#judgement)
    const fields = this.#judgement.fieldsOf(memoryOf(by))
    return key !== undefined && fields !== undefined && isSo(fields.values.get(key), key)
  }

  /** Does what says that a claim was wrong say something else than what that had replaced? To call off says nothing of it. */
  #speaksOf(by: ClaimId, before: ClaimId, wrong: ClaimId): boolean {
    const [own, theirs] = [by, before].map((id) => this.#judgement.fieldsOf(memoryOf(id)))
    const slot = slotOf(before, this.#claims, this.#judgement)
    const slots = slot === undefined ? (theirs?.slots ?? []) : [slot]
    const isOther = (key: string) => !agree(own?.values.get(key), theirs?.values.get(key))
    if (slots.length > 0) return slots.some((key) => own?.values.has(key) === true && isOther(key))
    return this.#event.statement.from >= (this.#claims.get(wrong)?.spell.from ?? '')
  }
}

interface Opposed {
  readonly pairs: Pairs
  readonly returns: Return[]
  /** The claims of the event that stand after it. */
  readonly standing: Set<ClaimId>
}

function opposition(
  event: Event,
  opposingBy: (against: ClaimId) => readonly ClaimId[],
  claims: Claims,
  judgement: Judgement,
): Opposed {
  const { statement, contradicted, reinforced } = event
  const opposed: Opposed = { pairs: new Pairs(event), returns: [], standing: new Set() }
  for (const { id } of claimsOf(statement.claim, claims)) {
    if (statement.first) opposed.standing.add(id)
    else restate(id, event, claims, judgement, opposed)
  }
  for (const id of contradicted)
    for (const by of opposingBy(id)) {
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
