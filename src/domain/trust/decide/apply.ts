import { type Changes, splitOff } from '../claims/changes.js'
import { claimsOf, stands, wholeOf } from '../claims/claims.js'
import type { Replacement } from '../claims/lines.js'
import { isWeaker } from '../claims/rank.js'
import {
  type Claim,
  type Decisions,
  type Extension,
  freshClaim,
  MAX_LINKED,
  type Opposition,
  type Reinforcement,
  type Speakers,
  type Statement,
  speakerOf,
  spellOf,
} from '../claims/types.js'
import { type ClaimId, memoryOf } from '../fields.js'
import { type Event, eventOf } from './event.js'

/** Bounded, since each state of a claim is kept: a claim stated again and again must not make each state longer. */
const MAX_WHOLES = 100

/** Applies the decisions about an event, judging nothing: the same decisions in the same order give the same state. */
export function apply(statement: Statement, decisions: Decisions, changes: Changes): void {
  const event = eventOf(statement, decisions.bears)
  const before = changes.get(statement.claim)
  const isBorrowed = before !== undefined && isWeaker(statement.source, before)
  if (before === undefined) changes.put(freshClaim(statement))
  for (const id of decisions.bears.flat()) splitOff(id, changes)
  for (const { by, against } of decisions.opposes) for (const id of [by, against]) splitOff(id, changes)
  if (before !== undefined)
    for (const { id } of claimsOf(statement.claim, changes)) restate(id, event, isBorrowed, changes)
  addReasons(statement, decisions, event.extended, isBorrowed, changes)
  for (const { claim, disputed } of decisions.returns) standAgain(claim, disputed, statement, changes)
  for (const id of event.reinforced) reinforce(statement, id, changes)
  for (const { by, against, effect } of decisions.opposes) {
    if (effect === 'supersedes') supersede(against, by, statement, changes)
    if (effect === 'joins') join(against, by, statement, changes)
    if (effect === 'corrects' || effect === 'ends') takeBack(against, by, statement, changes)
    if (effect === 'late') supersede(by, against, statement, changes)
    const [claim, other] = effect === 'late' ? [by, against] : [against, by]
    if (isReplacement(effect)) replace(claim, other, effect, statement, changes)
    const [a, b] = [changes.get(by), changes.get(against)]
    if (effect !== 'disputes' || !stands(a) || !stands(b)) continue
    const isOpen = changes.opponents(by).includes(against)
    changes.dispute(a, b, true)
    if (memoryOf(by) === statement.claim && isBorrowed !== isOpen) borrow(by, against, isBorrowed, changes)
  }
}

function restate(id: ClaimId, event: Event, isBorrowed: boolean, changes: Changes): void {
  const { place, source, recordedBy, recordedAt } = event.statement
  if (!isBorrowed) prolong(id, event, changes)
  changes.update(id, (claim) => ({
    ...claim,
    timesSeen: claim.timesSeen + 1,
    speakers: counted(claim.speakers, speakerOf({ source, recordedBy }), 1),
    lastStatedAt: recordedAt,
    own: { ...claim.own, [source]: place },
    stated: { ...claim.stated, [source]: place },
  }))
}

/** A source that is weaker than those that stated the claim before (`isBorrowed`) gives it no foundation that it could lose. */
function addReasons(
  { claim: id, place, source, links }: Statement,
  { against, wholes, lost, unresolved }: Decisions,
  extended: ReadonlySet<ClaimId>,
  isBorrowed: boolean,
  changes: Changes,
): void {
  const claim = changes.get(id)
  if (claim === undefined || extended.size + against.length + wholes.length + lost.length === 0) return
  const toContext = (contextId: string) => ({ contextId, place })
  // Decisions of an earlier version have no candidates.
  const nearIn = (contextId: string) => {
    const meant = unresolved.filter(
      ({ link }) => links[link]?.kind === 'contradiction' && links[link]?.target === contextId,
    )
    const near = meant.flatMap(({ candidates: [first] }) => (first === undefined ? [] : memoryOf(first)))
    return meant.length === 0 ? {} : { near }
  }
  const known = new Set(claim.extends.map((one) => `${one.source} ${one.id}`))
  const fresh = isBorrowed
    ? []
    : [...extended].map((base) => extensionOf(base, claim, { place, source }, changes))
  changes.put({
    ...claim,
    extends: grown(
      claim.extends,
      fresh.filter((one) => !known.has(`${one.source} ${one.id}`)),
      MAX_LINKED,
    ),
    wholes: grown(claim.wholes, isBorrowed ? [] : wholes.map(toContext), MAX_WHOLES),
    against: grown(
      claim.against,
      against.map((contextId) => ({ ...toContext(contextId), ...nearIn(contextId) })),
      MAX_LINKED,
    ),
    lost: grown(claim.lost, lost, Number.POSITIVE_INFINITY),
  })
}

/** The extension is late if its base is superseded, unless the claim extended that base before. */
function extensionOf(
  id: ClaimId,
  { extends: before }: Claim,
  { place, source }: Pick<Statement, 'place' | 'source'>,
  changes: Changes,
): Extension {
  const isLate = !stands(wholeOf(id, changes)) && !before.some((one) => one.id === id)
  return { id, source, ...(isLate && { late: place }) }
}

/** Notes whether a dispute was opened by a weaker source that restated the claim, or by those that stated it. */
function borrow(by: ClaimId, against: ClaimId, isBorrowed: boolean, changes: Changes): void {
  changes.update(by, (claim) => {
    const others = claim.borrowed.filter((id) => id !== against)
    return { ...claim, borrowed: isBorrowed ? grown(others, [against], MAX_LINKED) : others }
  })
}

/** Restating a standing claim moves the end of its spell; after that end, it opens another spell. */
function prolong(id: ClaimId, event: Event, changes: Changes): void {
  const claim = changes.get(id)
  const { statement } = event
  const { until } = statement
  if (!stands(claim) || claim.spell.until === until) return
  if (claim.spell.until === undefined || statement.from < claim.spell.until) {
    const spell = spellOf({ ...claim.spell, until })
    changes.put({ ...claim, spell })
    changes.line({ kind: 'ends', claim: id, spell, before: claim.spell, place: statement.place })
    return
  }
  reopen(id, statement, changes)
  for (const other of changes.supersedes(id)) replace(other, id, 'supersedes', statement, changes)
}

function reopen(id: ClaimId, statement: Statement, changes: Changes): void {
  const claim = changes.get(id)
  if (claim === undefined) return
  const spell = spellOf(statement)
  changes.put({ ...claim, spell })
  changes.line({ kind: 'opened', claim: id, spell, before: claim.spell })
}

function isReplacement(effect: Opposition['effect']): effect is Replacement['effect'] {
  return effect !== 'disputes' && effect !== 'noted'
}

/** Notes that the spell of a claim does not hold while the spell of `by` does. */
function replace(
  id: ClaimId,
  by: ClaimId,
  effect: Replacement['effect'],
  { place, source }: Statement,
  changes: Changes,
): void {
  const [claim, other] = [changes.get(id), changes.get(by)]
  if (claim === undefined || other === undefined) return
  const replacement = { kind: 'replaced' as const, effect, place, source }
  changes.line({ ...replacement, claim: id, spell: claim.spell, by, bySpell: other.spell })
  if (effect === 'corrects') changes.put({ ...claim, spell: { ...claim.spell, isWrong: true } })
}

/** Supersedes a claim, and restores the claims that it had replaced. */
function takeBack(id: ClaimId, by: ClaimId, statement: Statement, changes: Changes): void {
  const claim = changes.get(id)
  if (claim === undefined) return
  const { supersededBy } = claim
  if (stands(claim)) supersede(id, by, statement, changes)
  else join(id, by, statement, changes)
  for (const before of changes.supersedes(id)) restore(before, id, supersededBy, changes)
}

/** A claim that `wrong` had replaced is now replaced by `others`, which replaced `wrong`; without any, it stands again. */
function restore(id: ClaimId, wrong: ClaimId, others: readonly ClaimId[], changes: Changes): void {
  const claim = changes.get(id)
  if (claim === undefined || claim.spell.isWrong) return
  const supersededBy = [...new Set([...claim.supersededBy.filter((by) => by !== wrong), ...others])]
  if (supersededBy.length > 0) changes.put({ ...claim, supersededBy })
  else changing({ ...claim, superseded: undefined, supersededBy: [] }, changes)
}

function standAgain(id: ClaimId, disputed: boolean, statement: Statement, changes: Changes): void {
  const { place, source } = statement
  reopen(id, statement, changes)
  const claim = changes.get(id)
  if (claim === undefined || stands(claim)) return
  const rank = disputed ? { rankFrom: { place, source }, echoes: {} } : {}
  changing({ ...claim, superseded: undefined, supersededBy: [], ...rank }, changes)
}

/** A claim that several claims of one event supersede is superseded by each of them. */
function supersede(id: ClaimId, by: ClaimId, { place, source }: Statement, changes: Changes): void {
  const claim = changes.get(id)
  if (claim === undefined) return
  if (!stands(claim)) {
    if (!claim.supersededBy.includes(by)) changes.put({ ...claim, supersededBy: [...claim.supersededBy, by] })
    return
  }
  for (const other of changes.opponents(id)) close(id, other, changes)
  const settled = changes.get(id) ?? claim
  changing({ ...settled, supersededBy: [by], superseded: { place, source } }, changes)
}

/** Makes a change to a claim. The reinforcements of its memory count while any claim of the memory stands. */
function changing(after: Claim, changes: Changes): void {
  const memory = memoryOf(after.id)
  const stood = stands(wholeOf(memory, changes))
  changes.put(after)
  const whole = wholeOf(memory, changes)
  if (whole !== undefined && stood !== stands(whole)) tally(whole.reinforces, stood ? -1 : 1, changes)
}

/** Adds `by` to the claims that replaced a claim. Of the others only those that stood until this event remain, for brevity. */
function join(id: ClaimId, by: ClaimId, { place }: Statement, changes: Changes): void {
  const claim = changes.get(id)
  if (claim === undefined || stands(claim)) return
  const stood = claim.supersededBy.filter((other) => {
    const superseded = changes.get(other)?.superseded
    return other !== by && (superseded === undefined || superseded.place === place)
  })
  changes.put({ ...claim, supersededBy: [...stood, by] })
}

function close(id: ClaimId, other: ClaimId, changes: Changes): void {
  const [a, b] = [changes.get(id), changes.get(other)]
  if (a !== undefined && b !== undefined) changes.dispute(a, b, false)
}

/** A list with more added to it, up to `most` in all; a full list is returned as it is. */
function grown<T>(list: readonly T[], more: readonly T[], most: number): readonly T[] {
  const room = Math.max(0, most - list.length)
  return more.length === 0 || room === 0 ? list : [...list, ...more.slice(0, room)]
}

/** Notes that the claim of an event reinforces another one. The reinforcement counts while the first one stands. */
function reinforce({ claim: by, place, source, recordedBy }: Statement, id: ClaimId, changes: Changes): void {
  const [speaker, target] = [changes.get(by), changes.get(id)]
  if (speaker === undefined || target === undefined) return
  const same = (one: Reinforcement) =>
    one.claim === id && one.source === source && one.recordedBy === recordedBy
  const before = speaker.reinforces.find(same)
  if (before === undefined && speaker.reinforces.length >= MAX_LINKED) return
  const after = { claim: id, source, recordedBy, times: (before?.times ?? 0) + 1, last: place }
  changes.put({ ...speaker, reinforces: [...speaker.reinforces.filter((one) => !same(one)), after] })
  if (!stands(wholeOf(by, changes))) return
  changes.put({
    ...target,
    speakers: counted(target.speakers, speakerOf(after), 1),
    stated: { ...target.stated, [source]: place },
    echoes: before !== undefined && isHeard(before, target) ? target.echoes : moved(target, source, 1),
  })
}

/** Adds the reinforcements of a claim that stands again to their targets, or takes away those of a claim that was superseded. */
function tally(reinforcements: readonly Reinforcement[], sign: 1 | -1, changes: Changes): void {
  for (const reinforcement of reinforcements)
    changes.update(reinforcement.claim, (target) => ({
      ...target,
      speakers: counted(target.speakers, speakerOf(reinforcement), sign * reinforcement.times),
      echoes: isHeard(reinforcement, target) ? moved(target, reinforcement.source, sign) : target.echoes,
    }))
}

function counted(speakers: Speakers, speaker: string, by: number): Speakers {
  const { [speaker]: before = 0, ...others } = speakers
  return before + by <= 0 ? others : { ...others, [speaker]: before + by }
}

function isHeard({ last }: Reinforcement, { rankFrom }: Claim): boolean {
  return last >= (rankFrom?.place ?? 0)
}

function moved({ echoes }: Claim, source: Reinforcement['source'], by: 1 | -1): Claim['echoes'] {
  return { ...echoes, [source]: (echoes[source] ?? 0) + by }
}
