import { isMemoryId } from '../../domain/ids.js'
import { BEFORE, MIN_RELEVANCE, NOTHING } from '../../domain/insight/say.js'
import type { Insight } from '../target/api.js'
import type { Case } from './case-file.js'

type Evidence = NonNullable<Insight['evidence']>

/**
 * What is wrong with an explained insight, by a case; nothing if it passes. What the answer reports as replaced is neither
 * told nor relied on, so that it may be in `must_not`; and so is what is only nearest where nothing recorded answers.
 */
export function judge({ must, mustNot, confidence }: Case, insight: Insight): string[] {
  const evidence = insight.evidence ?? []
  const isAnswered = !insight.insight.startsWith(NOTHING)
  const relied = isAnswered ? evidence.filter(({ role }) => role !== 'superseded') : []
  const texts = relied
    .filter(({ relevance }, i) => i === 0 || relevance >= MIN_RELEVANCE)
    .map(({ text }) => text)
  const lines = isAnswered ? insight.insight.split('\n') : [NOTHING]
  const told = [...lines.filter((line) => !isOfReplaced(line)), ...texts]
  return [
    ...must.flatMap((one) =>
      isMemoryId(one)
        ? unless(isAmong(one, evidence), `${one} is not among the evidence`)
        : unless(says([...told, ...lines, lines.join('\n')], one), `${JSON.stringify(one)} is missing`),
    ),
    ...mustNot.flatMap((one) =>
      isMemoryId(one)
        ? unless(!isAmong(one, relied), `${one} is among the evidence`)
        : unless(!says(told, one), `${JSON.stringify(one)} is told`),
    ),
    ...unless(
      confidence.length === 0 || confidence.includes(insight.confidence),
      `the confidence is ${insight.confidence}, not ${confidence.join(' or ')}`,
    ),
  ]
}

/** How a first line begins that was replaced by something which does not answer. */
const CHANGED_SINCE = /^Recorded on [^:]+, changed since: /

function isOfReplaced(line: string): boolean {
  return line.startsWith(BEFORE) || CHANGED_SINCE.test(line)
}

function isAmong(memoryId: string, evidence: Evidence): boolean {
  return evidence.some(({ memory_id }) => memory_id === memoryId)
}

/** Letters and digits of scripts that part words by spaces. */
const LETTER = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{N}]/u

/** Does one of the texts hold these words, whole, in any case? */
export function says(texts: readonly string[], words: string): boolean {
  const wanted = folded(words)
  return texts.map(folded).some((text) => {
    for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1))
      if (!isJoined(text, at) && !isJoined(text, at + wanted.length)) return true
    return false
  })
}

/** Is this place inside a word? */
function isJoined(text: string, at: number): boolean {
  return LETTER.test(text.charAt(at - 1)) && LETTER.test(text.charAt(at))
}

function folded(text: string): string {
  return text.normalize('NFKC').toLowerCase().replace(/\s+/gu, ' ').trim()
}

function unless(fits: boolean, mistake: string): string[] {
  return fits ? [] : [mistake]
}
