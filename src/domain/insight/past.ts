import type { MemoryId } from '../model.js'
import type { ClaimOnce } from '../search/knowledge.js'
import { stemsOf } from '../search/text-analysis.js'
import type { TextCache } from '../text-cache.js'
import { earlierOf, laterOf } from '../time.js'
import type { AnswerReader } from './answer-reader.js'
import type { AskedTime } from './asked-time.js'
import { type Claim, claimOf } from './claims.js'
import { maxBy } from './entry.js'
import type { Gathered, Past } from './evidence.js'
import { type Candidate, type OrderWeights, ordered } from './order.js'
import type { Evidence } from './reconcile.js'
import { dayOf } from './statement.js'

type Line = readonly ClaimOnce[]

/** A candidate from the past: one value of a line. */
interface PastCandidate extends Candidate {
  readonly line: Line
}

const MAX_LINES_READ = 6

/** The value of each line at the time in question, read with its dates: the best answer first. */
export async function pastCandidates(
  question: string,
  { asked, lines }: Past,
  { evidence, names }: Gathered,
  { reader, texts }: { readonly reader: AnswerReader | undefined; readonly texts: TextCache },
  weights: OrderWeights,
): Promise<readonly PastCandidate[]> {
  const chosen = lines
    .flatMap((line) => {
      const once = chosenOf(line, asked, texts)
      const item = once && itemOf(once, line, evidence)
      if (once === undefined || item === undefined) return []
      return [{ line, item, claim: claimThen(once, names.get(once.memory.contextId)) }]
    })
    .sort((a, b) => b.item.score - a.item.score)
    .slice(0, MAX_LINES_READ)
  const read = chosen.map(({ claim: { subject, text } }) => `${subject}: ${text}`)
  const logits = read.length === 0 ? undefined : await reader?.logitsOf(question, read)
  const candidates = chosen.map((one, i) => ({
    ...one,
    logit: logits?.[i],
    shown: logits?.[i],
    part: 0,
    score: 0,
  }))
  return ordered(candidates, weights)
}

/** A value of a claim with its dates, as it is read and shown. */
export function claimThen(once: ClaimOnce, names?: readonly string[]): Claim {
  const text = `${once.text} (${datesOf(once)})`
  return { ...claimOf(once.memory, names), parts: [{ text, joint: '' }], text }
}

/** `1 January 2023 to 1 January 2024` */
function datesOf({ from, to }: ClaimOnce): string {
  const [first, last] = [dayOf(from), to && dayOf(to)]
  if (last === undefined) return `since ${first}`
  return first === last ? first : `${first} to ${last}`
}

/** Evidence for a value, with the score of the best evidence of its line. */
function itemOf(once: ClaimOnce, line: Line, evidence: readonly Evidence[]): Evidence | undefined {
  const ids = new Set<MemoryId>(line.map(({ memory }) => memory.memoryId))
  const best = maxBy(
    evidence.filter(({ memory }) => ids.has(memory.memoryId)),
    ({ score }) => score,
  )
  return best && { ...best, memory: once.memory, stands: true, remarks: [], contestedBy: [] }
}

function chosenOf(line: Line, asked: AskedTime, texts: TextCache): ClaimOnce | undefined {
  if (asked.kind === 'then') return longestIn(line, asked)
  if (line.length < 2) return undefined
  if (asked.kind === 'first') return line[0]
  if (asked.kind === 'course') return line.at(-1)
  const until = asked.named === undefined ? undefined : namedIn(line, asked.named, texts)
  const now = line.findLast(({ to }) => to === undefined) ?? line.at(-1)
  const later = until ?? now
  return line.findLast((one) => later !== undefined && one.from < later.from && one.text !== later.text)
}

/** The value that held longest in a period; a value that began and ended at once counts only if no other held. */
function longestIn(
  line: Line,
  { from, to }: { readonly from: string; readonly to: string },
): ClaimOnce | undefined {
  const length = (one: ClaimOnce) => {
    const [first, last] = [laterOf(one.from, from), earlierOf(one.to ?? to, to)]
    return first > last || one.from >= to ? -1 : Date.parse(last) - Date.parse(first)
  }
  const held = line.filter((one) => length(one) > 0 || (one.to === one.from && length(one) === 0))
  return maxBy(held, length)
}

/** The value that shares most words with a name; of several, the last. */
function namedIn(line: Line, name: string, texts: TextCache): ClaimOnce | undefined {
  const wanted = new Set(stemsOf(name, texts))
  const shared = ({ text }: ClaimOnce) =>
    new Set(stemsOf(text, texts).filter((stem) => wanted.has(stem))).size
  const most = Math.max(...line.map(shared))
  return most === 0 ? undefined : line.findLast((one) => shared(one) === most)
}
