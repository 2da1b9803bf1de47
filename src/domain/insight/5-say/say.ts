import type { Memory } from '../../model.js'
import { disagree, type Evidence } from '../4-reconcile/reconcile.js'
import { type Abridged, abridged, beginningOf, counted, MOST_WORDS, wordCount } from './sentences.js'
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
const STALE = 'What this builds on has been replaced since, so it may no longer hold: '

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
    contested: [lead, ...others].some((item) => item.contested),
  }
}

/** The lead, then what disputes it, then what else is known, as far as there is room; last, what was replaced. */
function tell(
  lead: Evidence,
  disputing: readonly Evidence[],
  others: readonly Evidence[],
  evidence: readonly Evidence[],
): Abridged {
  const sides = disputing.length > 0 ? SIDE_WORDS : MOST_WORDS
  return lines(
    [
      toldAs(remarkOn(lead), lead.memory, sides),
      ...disputing.slice(0, 1).map((item) => toldAs(`${AGAINST}${remarkOn(item)}`, item.memory, sides)),
    ],
    [
      ...disputing.slice(1).map((item) => `${AGAINST}${remarkOn(item)}${statementOf(item.memory)}`),
      ...others.map((item, i) => {
        const isOtherSide = others.slice(0, i).some(({ memory }) => disagree(item.memory, memory))
        return `${isOtherSide ? AGAINST : ''}${remarkOn(item)}${statementOf(item.memory)}`
      }),
      ...notesOn(lead.memory, evidence),
    ],
  )
}

function remarkOn({ memory, contested }: Evidence): string {
  if (memory.trust.status === 'expired') return `This ${wasValidUntil(memory)}: `
  if (memory.trust.status === 'stale') return STALE
  return contested ? `A later record contradicts something in ${memory.contextId}, perhaps this: ` : ''
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
    return lines(
      [
        { text: 'Sides disagree: check which holds before acting, and record the result.', cut: false },
        toldAs('On one side: ', lead.memory, SIDE_WORDS),
        toldAs('On the other: ', against.memory, SIDE_WORDS),
      ],
      [],
    )
  const settled = others.filter(({ memory, contested }) => !contested && memory.trust.disputedBy.length === 0)
  const advice = [lead, ...settled].slice(0, MOST_ADVICE).map(({ memory, contested }) => {
    const { text, cut } = abridged(adviceOf(memory))
    const isDoubtful = contested || memory.trust.status !== 'current'
    return { text: isDoubtful ? `Check first that this still holds: ${text}` : text, cut }
  })
  return lines(
    advice.slice(0, 1),
    advice
      .slice(1)
      .filter(({ cut }) => !cut)
      .map(({ text }) => text),
  )
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

function toldAs(remark: string, memory: Memory, most: number): Abridged {
  const { text, cut } = abridged(statementOf(memory), most)
  return { text: `${remark}${text}`, cut }
}

/** Those that must be told, and as many of the others as have room, a line each. */
function lines(needed: readonly Abridged[], others: readonly string[]): Abridged {
  let text = needed.map((part) => part.text).join('\n')
  for (const part of others) if (wordCount(text) + wordCount(part) <= MOST_WORDS) text = `${text}\n${part}`
  return { text, cut: needed.some(({ cut }) => cut) }
}
