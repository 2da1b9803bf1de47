import type { Memory } from '../../model.js'
import type { Pool } from '../2-retrieve/pool.js'
import { disagree, type Evidence } from '../4-reconcile/reconcile.js'
import { counted, MOST_WORDS, shortened, wordCount } from './sentences.js'
import { actionability, adviceOf, statementOf } from './statement.js'
import { inTellingOrder } from './telling-order.js'

export interface Said {
  readonly insight: string
  readonly recommendation: string
}

/** How many memories an insight tells, and a recommendation. */
const MOST_TOLD = 5
const MOST_ADVICE = 2
/** Beside the best, a memory must be at least this relevant to be acted on. */
const WORTH_ACTING_ON = 0.45

/** The finding and what to do, in sentences. Every clause is a memory's own words or a count of memories. */
export function say(task: string, evidence: readonly Evidence[], pool: Pool): Said {
  const standing = evidence.filter(({ stands }) => stands)
  const told = inTellingOrder(standing, pool)
  const lead = told[0]
  if (lead === undefined) return nothingStands(task, evidence)
  // The other side is told whatever else there is to tell: it seldom brings news of what was asked.
  const disputing = standing.filter(({ memory }) => memory !== lead.memory && disagree(memory, lead.memory))
  const others = told.filter((item) => item !== lead && !disputing.includes(item))
  return {
    insight: tell(lead, disputing, others, evidence),
    recommendation: recommend(lead, disputing, others),
  }
}

/** The lead, then what disputes it, then what else is known, as far as there is room; last, what was replaced. */
function tell(
  lead: Evidence,
  disputing: readonly Evidence[],
  others: readonly Evidence[],
  evidence: readonly Evidence[],
): string {
  const parts = [
    statementOf(lead.memory),
    ...disputing.slice(0, MOST_TOLD - 1).map(({ memory }) => `Against this: ${statementOf(memory)}`),
    ...others
      .slice(0, MOST_TOLD - 1 - Math.min(disputing.length, 1))
      .map(({ memory }) => statementOf(memory)),
    ...notesOn(lead.memory, evidence),
  ]
  return fitting(parts)
}

function notesOn({ trust, memoryId }: Memory, evidence: readonly Evidence[]): string[] {
  const replaced = evidence.filter(({ memory }) => memory.trust.supersededBy.includes(memoryId))
  const overtaken = evidence.filter(({ memory, stands }) => !stands && memory.trust.status !== 'superseded')
  return [
    ...(trust.status === 'stale'
      ? ['The first of these builds on something that has been replaced since.']
      : []),
    ...(trust.agreement > 0
      ? [`${counted(trust.agreement, 'later record agrees', 'later records agree')}.`]
      : []),
    ...replaced.slice(0, 1).map(({ memory }) => `It replaces: ${statementOf(memory)}`),
    ...overtaken.slice(0, 1).map(({ memory }) => `No longer borne out: ${statementOf(memory)}`),
  ]
}

function recommend(lead: Evidence, disputing: readonly Evidence[], others: readonly Evidence[]): string {
  const sides = sidesOf([lead, ...disputing, ...others])
  if (sides !== undefined)
    return fitting([
      'Sides disagree: check which holds before acting, and record the result.',
      `On one side: ${statementOf(sides[0].memory)}`,
      `On the other: ${statementOf(sides[1].memory)}`,
    ])
  const advice = [lead, ...others]
    .filter(({ relevance }) => relevance >= WORTH_ACTING_ON)
    .map((item) => ({
      ...item,
      worth: item.relevance * item.memory.trust.confidence * actionability(item.memory),
    }))
    .sort((a, b) => b.worth - a.worth)
    .slice(0, MOST_ADVICE)
    .map(({ memory }) => adviceOf(memory))
  const caution = lead.memory.trust.status === 'stale' ? ['Check first that this still holds.'] : []
  return fitting([...caution, ...advice])
}

/** The first two that disagree with nothing to settle it. */
function sidesOf(told: readonly Evidence[]): readonly [Evidence, Evidence] | undefined {
  for (const one of told) {
    const other = told.find((item) => item !== one && disagree(item.memory, one.memory))
    if (other !== undefined) return [one, other]
  }
  return undefined
}

function nothingStands(task: string, evidence: readonly Evidence[]): Said {
  const replaced = evidence[0]
  return {
    insight:
      replaced === undefined
        ? 'Nothing recorded in this graph bears on the task.'
        : shortened(`What was known has been replaced: ${statementOf(replaced.memory)}`),
    recommendation: `Record what you find out about "${shortened(task.replace(/\s+/gu, ' ').trim(), 40)}" so that it can be answered next time.`,
  }
}

/** As many of the parts as have room; the first is always there, shortened if need be. */
function fitting([first = '', ...others]: readonly string[]): string {
  let text = shortened(first)
  for (const part of others) if (wordCount(text) + wordCount(part) <= MOST_WORDS) text = `${text} ${part}`
  return shortened(text)
}
