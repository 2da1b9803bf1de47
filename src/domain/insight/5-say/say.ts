import type { Memory } from '../../model.js'
import { disagree, type Evidence } from '../4-reconcile/reconcile.js'
import { Lines } from './lines.js'
import { type Abridged, abridged, beginningOf, counted, MOST_WORDS } from './sentences.js'
import { adviceOf, statementOf, wasValidUntil } from './statement.js'
import { worthTelling } from './worth-telling.js'

export interface Said {
  readonly insight: string
  readonly recommendation: string
  /** Was a memory told only in part? */
  readonly cut: boolean
  /** Is a memory told that a later record may contradict? */
  readonly contested: boolean
}

/** How many memories a recommendation gives. */
const MOST_ADVICE = 2
/** How many words each side of a contradiction may take. */
const SIDE_WORDS = 40

/** What a line of an insight begins with that tells what no longer stands. */
export const REPLACES = 'It replaces: '
export const REPLACED = 'What was known has been replaced: '
const AGAINST = 'Against this: '
const EARLIER = 'Recorded before: '
const LATER = 'Recorded later: '
const CONTESTED = 'A later record may contradict this: '
const PERHAPS_FORMER = 'Recorded before, and perhaps no longer so: '
const THAT_RECORD = 'That record: '
const STALE = 'What this builds on has been replaced since, so it may no longer hold: '
const SHAKEN_BY = 'What it builds on was replaced by: '

/**
 * The finding and what to do. Each line is a memory in its own words, behind a remark of ours where one is due, or a
 * count of memories.
 */
export function say(task: string, evidence: readonly Evidence[]): Said {
  const standing = evidence.filter(({ stands }) => stands)
  const told = worthTelling(standing)
  const lead = told[0]
  if (lead === undefined) return nothingStands(task, evidence)
  const disputing = standing.filter(({ memory }) => memory !== lead.memory && disagree(memory, lead.memory))
  const others = told.filter((item) => item !== lead && !disputing.includes(item))
  const insight = tell(lead, disputing, others, evidence)
  const recommendation = recommend(lead, disputing, others)
  return {
    insight: insight.text,
    recommendation: recommendation.text,
    cut: insight.cut || recommendation.cut,
    contested: [lead, ...others].some(({ contestedBy }) => contestedBy !== undefined),
  }
}

/**
 * The lead, with what disputes it, what it may contradict and whatever it would be told by halves without; then what else
 * is known, as far as there is room, each whole; last, what was replaced.
 */
function tell(
  lead: Evidence,
  disputing: readonly Evidence[],
  others: readonly Evidence[],
  evidence: readonly Evidence[],
): Abridged {
  const contested = others.filter(({ contestedBy }) => contestedBy === lead.memory.memoryId)
  const first = [lead, ...disputing.slice(0, 1), ...contested.slice(0, 1)]
  const needed = [...first]
  for (const item of first) needed.push(...halvesOf(item, evidence, needed))
  const most = needed.length > 1 ? SIDE_WORDS : MOST_WORDS
  const told = new Set(needed)
  const remark = (item: Evidence) => {
    const inOrder = [...told]
    const before = inOrder.slice(0, inOrder.indexOf(item))
    return `${joint(item, before)}${remarkOn(item, before)}`
  }
  const lines = new Lines(needed.map((item) => toldAs(remark(item), item.memory, most, needed.length)))
  for (const item of [...disputing, ...others]) {
    if (told.has(item)) continue
    const whole = [item, ...halvesOf(item, evidence, [...told, item])]
    for (const one of whole) told.add(one)
    const isTold = lines.add(...whole.map((one) => `${remark(one)}${statementOf(one.memory)}`))
    if (!isTold) for (const one of whole) told.delete(one)
  }
  for (const note of notesOn(lead.memory, evidence)) lines.add(note)
  return lines.told
}

/** What a memory would be told by halves without, as far as it is not told: what contests it, and what shook it. */
function halvesOf(item: Evidence, evidence: readonly Evidence[], told: readonly Evidence[]): Evidence[] {
  return evidence.filter(
    (half) =>
      !told.includes(half) &&
      [item.contestedBy, item.shakenBy].includes(half.memory.memoryId) &&
      half !== item,
  )
}

/** What a memory is to those that are told before it. */
function joint({ memory }: Evidence, before: readonly Evidence[]): string {
  if (before.some((one) => disagree(memory, one.memory))) return AGAINST
  if (before.some(({ contestedBy }) => contestedBy === memory.memoryId)) return THAT_RECORD
  return before.some(({ shakenBy }) => shakenBy === memory.memoryId) ? SHAKEN_BY : ''
}

function remarkOn({ memory, contestedBy, differs }: Evidence, before: readonly Evidence[]): string {
  const isAfter = before.some((one) => one.memory.memoryId === contestedBy)
  const contested = contestedBy === undefined ? '' : isAfter ? PERHAPS_FORMER : CONTESTED
  if (memory.trust.status === 'expired') return `This ${wasValidUntil(memory)}: `
  if (memory.trust.status === 'stale') return `${STALE}${contested}`
  if (differs !== undefined) return differs === 'earlier' ? EARLIER : LATER
  return contested
}

function notesOn({ trust, memoryId }: Memory, evidence: readonly Evidence[]): string[] {
  const replaced = evidence.filter(({ memory }) => memory.trust.supersededBy.includes(memoryId))
  return [
    ...(trust.agreement > 0
      ? [`${counted(trust.agreement, 'later record agrees', 'later records agree')}.`]
      : []),
    ...replaced.slice(0, 1).map(({ memory }) => `${REPLACES}${statementOf(memory)}`),
  ]
}

function recommend(lead: Evidence, disputing: readonly Evidence[], others: readonly Evidence[]): Abridged {
  const [against] = disputing
  if (against !== undefined)
    return new Lines([
      { text: 'Sides disagree: check which holds before acting, and record the result.', cut: false },
      toldAs('On one side: ', lead.memory, SIDE_WORDS, 2),
      toldAs('On the other: ', against.memory, SIDE_WORDS, 2),
    ]).told
  const settled = others.filter(
    ({ memory, contestedBy, differs }) =>
      contestedBy === undefined && differs === undefined && memory.trust.disputedBy.length === 0,
  )
  const advice = [lead, ...settled].slice(0, MOST_ADVICE).map(({ memory, contestedBy }) => {
    const { text, cut } = abridged(adviceOf(memory))
    const isDoubtful = contestedBy !== undefined || memory.trust.status !== 'current'
    return { text: isDoubtful ? `Check first that this still holds: ${text}` : text, cut }
  })
  const lines = new Lines(advice.slice(0, 1))
  for (const { text, cut } of advice.slice(1)) if (!cut) lines.add(text)
  return lines.told
}

function nothingStands(task: string, evidence: readonly Evidence[]): Said {
  const replaced = evidence[0]
  return {
    insight:
      replaced === undefined
        ? 'Nothing recorded in this graph bears on the task.'
        : toldAs(REPLACED, replaced.memory, MOST_WORDS).text,
    recommendation: `Record what you find out about "${beginningOf(task, 40)}" so that it can be answered next time.`,
    cut: false,
    contested: false,
  }
}

function toldAs(remark: string, memory: Memory, most: number, sides = 1): Abridged {
  const { text, cut } = abridged(statementOf(memory), most, sides)
  return { text: `${remark}${text}`, cut }
}
