import type { MemoryId } from '../../model.js'
import type { Changes } from '../claims/changes.js'
import { stands } from '../claims/claims.js'
import { type Decisions, freshClaim, MOST_LINKED, type Statement } from '../claims/types.js'
import { eventOf } from './event.js'
import { reinforce, tally } from './tally.js'

/** Each state of a claim is kept, and what is stated again and again must not make each longer than the one before. */
const MOST_WHOLES = 100

/** Applies what was decided of an event, judging nothing: the same decisions in the same order give the same state. */
export function apply(statement: Statement, decisions: Decisions, changes: Changes): void {
  const event = eventOf(statement, decisions.bears)
  stateOwn(statement, decisions, event.extended, changes)
  for (const { claim, disputed } of decisions.returns) standAgain(claim, disputed, statement, changes)
  for (const id of event.reinforced) reinforce(statement, id, changes)
  for (const { by, against, effect } of decisions.opposes) {
    if (effect === 'supersedes') supersede(against, by, statement, changes)
    if (effect === 'joins') join(against, by, statement, changes)
    const [a, b] = [changes.get(by), changes.get(against)]
    if (effect === 'disputes' && stands(a) && stands(b)) changes.dispute(a, b, true)
  }
}

function stateOwn(
  statement: Statement,
  { against, wholes, lost }: Decisions,
  extended: ReadonlySet<MemoryId>,
  changes: Changes,
): void {
  const { place, source, recordedAt } = statement
  const before = changes.get(statement.claim)
  const claim = before ?? freshClaim(statement)
  const toContext = (contextId: string) => ({ contextId, place })
  changes.put({
    ...claim,
    timesSeen: before === undefined ? 1 : claim.timesSeen + 1,
    counted: before === undefined ? 1 : claim.counted + 1,
    lastStatedAt: recordedAt,
    own: { ...claim.own, [source]: place },
    stated: { ...claim.stated, [source]: place },
    extends: grown(
      claim.extends,
      [...extended].filter((id) => !claim.extends.includes(id)),
      MOST_LINKED,
    ),
    wholes: grown(claim.wholes, wholes.map(toContext), MOST_WHOLES),
    against: grown(claim.against, against.map(toContext), MOST_LINKED),
    lost: grown(claim.lost, lost, Number.POSITIVE_INFINITY),
  })
}

function standAgain(id: MemoryId, disputed: boolean, { place, source }: Statement, changes: Changes): void {
  const claim = changes.get(id)
  if (claim === undefined || stands(claim)) return
  changes.put({
    ...claim,
    superseded: undefined,
    supersededBy: [],
    ...(disputed ? { rankFrom: { place, source }, echoes: {} } : {}),
  })
  tally(claim.reinforces, 1, changes)
}

/** A claim that several claims of one event supersede is superseded by each of them. */
function supersede(id: MemoryId, by: MemoryId, { place, source }: Statement, changes: Changes): void {
  const claim = changes.get(id)
  if (claim === undefined) return
  if (!stands(claim)) {
    if (!claim.supersededBy.includes(by)) changes.put({ ...claim, supersededBy: [...claim.supersededBy, by] })
    return
  }
  for (const other of changes.opponents(id)) close(id, other, changes)
  const settled = changes.get(id) ?? claim
  changes.put({ ...settled, supersededBy: [by], superseded: { place, source } })
  tally(claim.reinforces, -1, changes)
}

/** Of those that superseded a claim before, only the ones that stand until now are kept: the list stays short. */
function join(id: MemoryId, by: MemoryId, { place }: Statement, changes: Changes): void {
  const claim = changes.get(id)
  if (claim === undefined || stands(claim)) return
  const stood = claim.supersededBy.filter((other) => {
    const superseded = changes.get(other)?.superseded
    return other !== by && (superseded === undefined || superseded.place === place)
  })
  changes.put({ ...claim, supersededBy: [...stood, by] })
}

function close(id: MemoryId, other: MemoryId, changes: Changes): void {
  const [a, b] = [changes.get(id), changes.get(other)]
  if (a !== undefined && b !== undefined) changes.dispute(a, b, false)
}

/** The first `most` of a list and what is added to it; what is full stays the very list that it was. */
function grown<T>(list: readonly T[], more: readonly T[], most: number): readonly T[] {
  const room = Math.max(0, most - list.length)
  return more.length === 0 || room === 0 ? list : [...list, ...more.slice(0, room)]
}
