import { type Memory, SOURCES } from '../model.js'
import { rankOf } from '../trust/claims/rank.js'
import type { Answer } from './answer.js'
import { claimOf, excerpt, MAX_LEAD_CHARACTERS, shortenedTo, shown } from './claims.js'
import { DOUBTS, isAgainst } from './confidence.js'
import type { Gathered } from './evidence.js'
import { accepts, type Candidate, isBeside } from './order.js'
import { claimThen } from './past.js'
import { disagree, type Evidence } from './reconcile.js'
import { abridged, beginningOf, counted, MAX_WORDS, wordCount } from './sentences.js'
import { beginning, dayOf, instructionOf, wasValidUntil } from './statement.js'

export interface Said {
  readonly insight: string
  readonly recommendation: string
}

/** Beginnings of the lines of an insight that are not only a memory's own words. */
export const NOTHING = 'Nothing recorded answers this.'
export const BEFORE = 'Before: '
const NOW = 'Now: '
const NEAREST = 'Nearest: '
const IN_PART = 'Only in part: '
const OPEN = 'Open question: '
const AGAINST = 'Against this: '
const REMARK = 'A later record may contradict this: '
const STALE = 'May no longer hold: '
const STALE_BECAUSE = 'What it builds on was replaced by: '
const BUILDS_ON = 'What this builds on has been replaced since, so it may no longer hold.'
const RECORDED_ON = 'Recorded on '
const VALID_UNTIL = 'This was valid until '
const GO_AHEAD = 'Go ahead: '
const CHECK_FIRST = 'Check first, '
const SETTLE_IT =
  'Settle it: find out which of the two holds, and record that with a link that contradicts the other.'
const UNANSWERED = 'Nobody has answered this yet: '
const RECORD_IT = 'Once you find out, record it'
const OWN_WORDS = [
  ...[
    NOTHING,
    BEFORE,
    NOW,
    NEAREST,
    IN_PART,
    OPEN,
    AGAINST,
    REMARK,
    STALE,
    STALE_BECAUSE,
    BUILDS_ON,
    RECORDED_ON,
  ],
  ...[VALID_UNTIL, GO_AHEAD, CHECK_FIRST, 'Settle it: ', UNANSWERED, RECORD_IT],
].map((own) => own.trim().toLowerCase())

/** The least relevance of further memories that are shown; others are noise. */
export const MIN_RELEVANCE = 0.43
/** A candidate with a lower logit is not shown beside an answer, whatever its relevance. */
const REFUSED = -3
/** How many words a memory below the first line may take. */
const LINE_WORDS = 40
/** On the labelled sets, plain questions have fewer words and descriptions of tasks more. */
const MIN_TASK_WORDS = 12
/** The end of a statement before another sentence: the task describes a situation. */
const STATES = /[.!:](?=\s)/u
/** How many memories a recommendation gives. */
const MAX_ADVICE = 3

/** The finding, with the claim that answers first, and the recommendation. */
export function say(task: string, answer: Answer, gathered: Gathered): Said {
  const { lead, kind } = answer
  if (lead === undefined) return { insight: NOTHING, recommendation: recordIt(task, undefined) }
  if (kind === 'nothing')
    return {
      insight: `${NOTHING}\n${NEAREST}${lineOf(lead)}`,
      recommendation: recordIt(task, lead.item.memory),
    }
  const insight = kind === 'past' ? then(answer, lead, gathered) : finding(answer, lead, gathered)
  return { insight, recommendation: advice(task, answer, lead, gathered) }
}

/** The first and the last value of a course, in one line. */
function excerpted(ends: readonly string[]): string {
  const room = Math.floor((MAX_LEAD_CHARACTERS - 4) / ends.length)
  return ends.map((text) => shortenedTo(text, room)).join(' … ')
}

/** The value at the time in question, then the present value and the earlier ones; for a course, all in order. */
function then({ line = [] }: Answer, lead: Candidate, { past, names }: Gathered): string {
  const subjects = names.get(lead.item.memory.contextId)
  const values = line.map((once) => {
    const { text: said } = claimThen(once, subjects)
    return { once, said, text: quoted(once.memory, said) }
  })
  if (past?.asked.kind === 'course') {
    const [first = '', ...later] = values.map(({ text }) => text)
    const whole = shown(lead.claim, [first, ...later].join('; '))
    if (whole.length <= MAX_LEAD_CHARACTERS) return whole
    const lines = new Lines(excerpted([shown(lead.claim, first), ...later.slice(-1)]))
    for (const text of later) lines.add(text)
    return lines.text
  }
  const lines = new Lines(lineOf(lead))
  const at = values.findIndex(({ said }) => said === lead.claim.text)
  const before = values.slice(0, Math.max(0, at)).reverse()
  const now = values.slice(at + 1).findLast(({ once }) => once.to === undefined)
  if (now !== undefined) lines.add(`${NOW}${now.text}`)
  for (const { text } of before) lines.add(`${BEFORE}${text}`)
  return lines.text
}

function finding(answer: Answer, lead: Candidate, { evidence }: Gathered): string {
  const known = new Map(evidence.map((item) => [item.memory.memoryId, item]))
  const lines = new Lines(firstLine(answer, lead))
  if (answer.second !== undefined) lines.need(lineOf(answer.second))
  const standing = evidence.filter(({ stands }) => stands)
  const { memory } = lead.item
  const listed = new Set([memory, answer.second?.item.memory])
  const add = (item: Evidence | undefined, remark: string, isNeeded = false) => {
    if (item === undefined || listed.has(item.memory)) return
    const isSameContext = item.memory.contextId === memory.contextId
    const text = `${remark}${briefly(item.memory, isSameContext)}`
    if (isNeeded) lines.need(text)
    else if (!lines.add(text)) return
    listed.add(item.memory)
  }
  if (memory.trust.status === 'expired') lines.need(`This ${wasValidUntil(memory)}.`)
  if (memory.trust.status === 'stale') {
    const cause = lead.item.staleBecause === undefined ? undefined : known.get(lead.item.staleBecause)
    if (cause === undefined) lines.need(BUILDS_ON)
    else add(cause, STALE_BECAUSE, true)
  }
  if (answer.doubts.includes('disputed'))
    for (const side of standing.filter((item) => disagree(item.memory, memory)).slice(0, 1))
      add(side, AGAINST, true)
  const against = standing.filter((item) => isAgainst(item.memory, lead, answer.candidates))
  for (const item of against.slice(-1)) add(item, REMARK, true)
  for (const { item } of besides(answer, lead)) add(item, beforeIt(item, lead.item))
  const refused = answer.candidates.filter((one) => answer.kind === 'answer' && (one.logit ?? 0) < REFUSED)
  const others = standing.filter(({ memory }) => !refused.some(({ item }) => item.memory === memory))
  for (const item of others) if (item.relevance >= MIN_RELEVANCE) add(item, beforeIt(item, lead.item))
  for (const item of evidence) if (item.memory.trust.supersededBy.includes(memory.memoryId)) add(item, BEFORE)
  const { agreement } = memory.trust
  if (agreement > 0) lines.add(`${counted(agreement, 'later record agrees', 'later records agree')}.`)
  return lines.text
}

/** The other candidates that are shown beside the lead. */
function besides({ candidates }: Answer, lead: Candidate): readonly Candidate[] {
  return candidates.filter((one) => one !== lead && isBeside(one, lead))
}

function firstLine({ kind }: Answer, lead: Candidate): string {
  const { memory } = lead.item
  const remark =
    kind === 'open'
      ? OPEN
      : kind === 'part'
        ? IN_PART
        : kind === 'former'
          ? `${RECORDED_ON}${dayOf(memory.occurredAt)}, changed since: `
          : beginning(memory)
  return `${remark}${lineOf(lead, MAX_LEAD_CHARACTERS - remark.length)}`
}

/** The words before a further memory: that it is expired, planned, stale, or an earlier value that the lead contradicts. */
function beforeIt({ remarks, memory }: Evidence, lead: Evidence): string {
  if (memory.trust.status === 'expired') return `This ${wasValidUntil(memory)}: `
  if (memory.trust.status === 'planned') return beginning(memory)
  if (memory.trust.status === 'stale') return STALE
  return remarks.includes(lead.memory.memoryId) ? BEFORE : ''
}

function lineOf({ claim, part }: Candidate, room = MAX_LEAD_CHARACTERS): string {
  return quoted(claim.memory, shown(claim, excerpt(claim, part, room)))
}

function briefly(memory: Memory, isNamed: boolean): string {
  const claim = claimOf(memory)
  const text = abridged(claim.text, LINE_WORDS)
  return quoted(memory, isNamed ? text : shown(claim, text))
}

/** A text that could be taken for the service's own words is shown as a quotation. */
function quoted({ source }: Memory, text: string): string {
  const folded = text.toLowerCase()
  const isLikeOurs =
    text.includes('**') || OWN_FORM.test(folded) || OWN_WORDS.some((own) => folded.startsWith(own))
  return isLikeOurs ? `${source} wrote: “${text}”` : text
}

/** The recommendation: instructions from the evidence, or how far to rely on the answer. */
function advice(task: string, answer: Answer, lead: Candidate, { evidence }: Gathered): string {
  const { memory } = lead.item
  const check = checkFirst(answer, lead)
  if (answer.doubts.includes('disputed') || answer.doubts.includes('contested'))
    return [SETTLE_IT, ...otherSide(lead, evidence)].join('\n')
  if (answer.kind === 'open') return `${UNANSWERED}${recordIt(task, memory)}`
  const accepted = besides(answer, lead).map(({ item }) => item.memory)
  const all = [...new Set([memory, ...accepted, ...evidence.filter(isSettled).map((item) => item.memory)])]
  const instructing = all.filter((one) => instructionOf(one) !== undefined)
  const isAsked = !isTask(task)
  const advising = isAsked
    ? instructing
    : [...instructing, ...all.filter((one) => !instructing.includes(one))]
  const [first, ...others] = advising.slice(0, MAX_ADVICE).map(stepOf)
  const reliance = check ?? (isAsked ? goAhead(answer, memory) : undefined)
  const lines = new Lines([reliance, first].filter((line) => line !== undefined).join('\n'))
  for (const step of others) lines.add(step)
  return lines.text
}

/** The memory that disputes or may contradict the lead. */
function otherSide({ item }: Candidate, evidence: readonly Evidence[]): readonly string[] {
  const against = [...item.contestedBy, ...item.remarks]
  const side = evidence.find(
    ({ stands, memory }) => stands && (disagree(memory, item.memory) || against.includes(memory.memoryId)),
  )
  return side === undefined ? [] : [`${AGAINST}${briefly(side.memory, false)}`]
}

/** Is the text a task rather than a question: long, about a situation, or without a question mark? */
function isTask(task: string): boolean {
  const text = task.trim()
  return wordCount(text) >= MIN_TASK_WORDS || STATES.test(text) || !text.endsWith('?')
}

/** Is a memory relevant enough to be shown, without anything that speaks against it? */
function isSettled({ stands, relevance, contestedBy, memory: { trust } }: Evidence): boolean {
  const isClear = trust.status === 'current' && trust.disputedBy.length === 0 && contestedBy.length === 0
  return stands && isClear && relevance >= MIN_RELEVANCE
}

function stepOf(memory: Memory): string {
  // A recommendation has room for four long texts.
  return quoted(memory, abridged(instructionOf(memory) ?? claimOf(memory).text, MAX_WORDS, 4))
}

function goAhead({ candidates, lead }: Answer, memory: Memory): string {
  const { trust, source, occurredAt } = memory
  const agreeing =
    trust.agreement > 0
      ? `, and ${counted(trust.agreement, 'later record agrees', 'later records agree')}`
      : ''
  const others = candidates.filter((one) => one !== lead && accepts(one)).length
  const seeAlso = others > 0 ? ` ${counted(others, 'other record bears', 'other records bear')} on it.` : ''
  return `${GO_AHEAD}recorded by ${nameOf(source)} on ${dayOf(occurredAt)}${agreeing}.${seeAlso}`
}

function checkFirst({ doubts, level, kind }: Answer, { item }: Candidate): string | undefined {
  const { source, occurredAt } = item.memory
  const reasons = doubts.map((doubt) => DOUBTS[doubt])
  if (kind === 'part') reasons.push('each of the two records says only a part of it')
  if (reasons.length === 0 && level !== 'high')
    reasons.push(level === 'low' ? 'it may not be what was asked' : 'it is likely, not sure, to answer this')
  if (reasons.length === 0) return undefined
  return `${CHECK_FIRST}since ${reasons.join(', and ')}: recorded by ${nameOf(source)} on ${dayOf(occurredAt)}.`
}

function nameOf(source: Memory['source']): string {
  return rankOf(source) === rankOf('user')
    ? 'a user'
    : source === 'agent' || source === 'executor'
      ? `an ${source}`
      : `a ${source}`
}

function recordIt(task: string, nearest: Memory | undefined): string {
  const where = nearest === undefined ? '' : ` under ${nearest.contextId} or a context of its own`
  return `${RECORD_IT}${where}: “${beginningOf(task, 20)}”`
}

/** The lines of an insight: all needed ones, and as many others as have room. */
class Lines {
  #text: string

  constructor(first: string) {
    this.#text = first
  }

  need(line: string): void {
    this.#text = `${this.#text}\n${line}`
  }

  /** Was there room? */
  add(line: string): boolean {
    const text = `${this.#text}\n${line}`
    const hasRoom = wordCount(text) <= MAX_WORDS
    if (hasRoom) this.#text = text
    return hasRoom
  }

  get text(): string {
    return this.#text
  }
}

/** Lines of the service that begin with a date, a number or a source. */
const OWN_FORM = new RegExp(
  `^(?:from \\d{1,2} \\w+ \\d{4}:|\\d+ later records? agrees?|(?:${SOURCES.join('|')}) wrote:)`,
)
