import type { Entry } from './entry.js'
import { EPSILON, leftOpen, sum } from './entry.js'
import { nearness } from './nearness.js'
import type { First, Pool } from './pool.js'

/**
 * The features that the ranker weighs. The more a query uses other words than the memories, the less the features by words
 * count; `meaning_alone` counts instead.
 */
export const FEATURES = [
  'meaning',
  'meaning_alone',
  'bm25',
  'expansion',
  'clause',
  'context_coverage',
  'who',
  'when',
  'superseded',
  'adjacent',
  'answers',
  'asks',
  'reinforces',
  'reinforced',
  'extended',
  'replaces',
] as const
type Feature = (typeof FEATURES)[number]
export type Features = Readonly<Record<Feature, number>>

const FULL_NAME = /\b\p{Lu}\p{Ll}+ \p{Lu}\p{Ll}+\b/u
const TIME =
  /\b(?:\d{1,2}:\d\d|january|february|march|april|may|june|july|august|september|october|november|december|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|yesterday|today|tomorrow|(?:minute|hour|day|week|month|year)s?)\b/i

/** The features of every entry, in their order. */
export function featuresOf(pool: Pool): Features[] {
  const near = nearness(pool)
  const wording = wordingOf(pool)
  const { inOtherWords } = pool
  const byWords = 1 - inOtherWords
  return pool.entries.map((entry) => {
    const words = wording(entry)
    const links = near(entry)
    // Written out, because spreading objects of this size takes longer than working them out.
    return {
      meaning: words.meaning,
      meaning_alone: words.meaning * inOtherWords,
      bm25: words.bm25 * byWords,
      expansion: words.expansion * byWords,
      clause: words.clause * byWords,
      context_coverage: links.context_coverage * byWords,
      who: words.who * byWords,
      when: words.when * byWords,
      superseded: entry.memory.trust.status === 'superseded' ? byWords : 0,
      adjacent: links.adjacent * byWords,
      answers: links.answers * byWords,
      asks: leftOpen(entry.memory.text),
      reinforces: links.reinforces * byWords,
      reinforced: links.reinforced * byWords,
      extended: links.extended * byWords,
      replaces: links.replaces * byWords,
    }
  })
}

const NO_OPINION: First = { meaning: 0, bm25: 0, coverage: 0, score: 0 }

/** Features of the text of an entry. */
function wordingOf({ query, expansion, feedback, firsts, weight }: Pool) {
  const clauses = query.clauses.map((clause) => {
    const terms = clause.map((term) => ({ term, value: weight(term) }))
    return { terms, whole: Math.max(EPSILON, sum(terms.map(({ value }) => value))) }
  })
  return (entry: Entry) => {
    const { memory, counts } = entry
    const { meaning, bm25, coverage } = firsts.get(entry) ?? NO_OPINION
    let kept = 0
    for (const [term, value] of expansion) if (counts.has(term)) kept += value
    let clause = coverage
    for (const { terms, whole } of clauses) {
      let shared = 0
      for (const { term, value } of terms) if (counts.has(term)) shared += value
      clause = Math.max(clause, shared / whole)
    }
    return {
      meaning,
      bm25,
      // Halved for feedback memories, which the expansion was taken from.
      expansion: feedback.has(entry) ? kept / 2 : kept,
      // Coverage is a feature of its own.
      clause: clause - coverage,
      who: query.asksWho && FULL_NAME.test(memory.text) ? 1 : 0,
      when: query.asksWhen && TIME.test(memory.text) ? 1 : 0,
    }
  }
}
