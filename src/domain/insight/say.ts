import type { Json, Memory } from '../model.js'
import type { Evidence } from './reconcile.js'

const MOST_WORDS = 80
const LONGEST_WORD = 200
const LONGEST_TEXT = 8000
/** Fields that hold something to act on, the most direct first. */
const ACTIONABLE = [
  'recommendation',
  'fix',
  'resolution',
  'decision',
  'action',
  'advice',
  'instruction',
  'value',
]

export interface Said {
  readonly insight: string
  readonly recommendation: string
}

/** The finding and what to do, in sentences. Every clause is a memory's own text or a count of memories. */
export function say(task: string, evidence: readonly Evidence[]): Said {
  const standing = evidence.filter(({ role }) => role !== 'superseded')
  const lead = standing[0]
  if (lead === undefined) return nothingKnown(task, evidence)
  const against = standing.find(({ role }) => role === 'contradicts')
  const replaced = evidence.find(
    ({ memory, role }) => role === 'superseded' && memory.trust.supersededBy.includes(lead.memory.memoryId),
  )
  const second = standing.find((item) => item !== lead && item !== against && item.relevance >= 0.5)
  const { agreement, status } = lead.memory.trust
  const parts = [
    sentence(lead.memory.text),
    ...(agreement > 0
      ? [`${agreement === 1 ? '1 later record agrees' : `${agreement} later records agree`}.`]
      : []),
    ...(against === undefined ? [] : [`This is disputed: ${sentence(against.memory.text)}`]),
    ...(replaced === undefined ? [] : [`It replaces an earlier memory: ${sentence(replaced.memory.text)}`]),
    ...(status === 'stale' ? ['It builds on something that has been replaced since.'] : []),
    ...(second === undefined ? [] : [sentence(second.memory.text)]),
  ]
  return { insight: words(parts.join(' '), MOST_WORDS), recommendation: recommend(lead, against, standing) }
}

function recommend(lead: Evidence, against: Evidence | undefined, standing: readonly Evidence[]): string {
  if (against !== undefined)
    return words(
      `Check which holds before acting, and record the result: ${clause(lead.memory.text)}, or ${sentence(against.memory.text)}`,
      MOST_WORDS,
    )
  if (lead.memory.trust.status === 'stale')
    return words(`Check that this still holds before acting on it: ${sentence(lead.memory.text)}`, MOST_WORDS)
  const actions = standing.map(({ memory, relevance }) => ({ text: actionOf(memory), relevance }))
  const action = actions.find(({ text, relevance }) => text !== undefined && relevance >= 0.5)
  return words(sentence(action?.text ?? `Act on what is known: ${lead.memory.text}`), MOST_WORDS)
}

function actionOf({ payload }: Memory): string | undefined {
  for (const field of ACTIONABLE) {
    const value: Json | undefined = Object.hasOwn(payload, field) ? payload[field] : undefined
    if (typeof value === 'string' && value.trim() !== '') return value
  }
  return undefined
}

function nothingKnown(task: string, evidence: readonly Evidence[]): Said {
  const replaced = evidence[0]
  return {
    insight:
      replaced === undefined
        ? 'Nothing recorded in this graph bears on the task.'
        : words(`What was known has been replaced: ${sentence(replaced.memory.text)}`, MOST_WORDS),
    recommendation: `Record what you find out about "${words(oneLine(task), 40)}" so that it can be answered next time.`,
  }
}

function sentence(text: string): string {
  const line = oneLine(text)
  return /[.!?…]$/u.test(line) ? line : `${line}.`
}

function clause(text: string): string {
  return oneLine(text).replace(/[.!?…]+$/u, '')
}

function oneLine(text: string): string {
  return text.replace(/\s+/gu, ' ').trim()
}

/** At most `most` words, no word longer than a line, and the whole no longer than the contract allows. */
function words(text: string, most: number): string {
  const all = text.split(' ').map((word) => cut(word, LONGEST_WORD))
  return cut(all.length <= most ? all.join(' ') : `${all.slice(0, most).join(' ')}…`, LONGEST_TEXT)
}

/** Shortens a text without cutting a character in two. */
function cut(text: string, longest: number): string {
  if (text.length <= longest) return text
  return `${text.slice(0, longest - 1).replace(/[\ud800-\udbff]$/, '')}…`
}
