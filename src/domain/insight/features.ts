import type { Entry, Subject } from './entry.js'
import { nearness } from './nearness.js'
import type { First, Pool } from './pool.js'
import { bigramsOf } from './query.js'
import { sum } from './sum.js'

/** What the ranker weighs. */
export const FEATURES = [
  'bm25',
  'coverage',
  'bigrams',
  'alike',
  'kin',
  'answers',
  'company',
  'clause',
  'subject',
  'linked_subject',
  'off_subject',
  'who',
  'when',
  'latest',
  'superseded',
  'length',
  'context_coverage',
  'same_context',
  'adjacent',
  'reinforces',
  'reinforced',
  'extends',
  'extended',
  'contradicts',
  'contradicted',
  'replaces_basis',
] as const
export type Feature = (typeof FEATURES)[number]
export type Features = Readonly<Record<Feature, number>>

const FULL_NAME = /\b\p{Lu}\p{Ll}+ \p{Lu}\p{Ll}+\b/u
const TIME =
  /\b(?:\d{1,2}:\d\d|january|february|march|april|may|june|july|august|september|october|november|december|(?:mon|tues|wednes|thurs|fri|satur|sun)day|yesterday|today|tomorrow|(?:minute|hour|day|week|month|year)s?)\b/i

/** The features of every entry, in their order. */
export function featuresOf(pool: Pool): Features[] {
  const near = nearness(pool)
  const named = nameCoverage(pool)
  const namesSomething = pool.entries.some(({ subjects }) => subjects.some((subject) => named(subject) === 1))
  return pool.entries.map((entry) => {
    const first = pool.firsts.get(entry) ?? NO_OPINION
    const [own, ...linked] = entry.subjects.map(named)
    return {
      ...wordFeatures(entry, first, pool),
      subject: own ?? 0,
      linked_subject: Math.max(0, ...linked),
      off_subject: namesSomething && own !== 1 && !linked.includes(1) ? 1 : 0,
      superseded: entry.memory.trust.status === 'superseded' ? 1 : 0,
      ...near(entry),
    }
  })
}

const NO_OPINION: First = { bm25: 0, coverage: 0, alike: 0, kin: 0, score: 0 }

function wordFeatures(entry: Entry, { bm25, coverage, alike, kin }: First, pool: Pool) {
  const { query, company, meanings, teachers, weight } = pool
  const { memory, counts, stems } = entry
  const share = (terms: readonly string[]) => {
    const whole = sum(terms.map(weight))
    return whole === 0 ? 0 : sum(terms.filter((term) => counts.has(term)).map(weight)) / whole
  }
  const kept = sum(Array.from(company, ([term, value]) => (counts.has(term) ? value : 0)))
  return {
    bm25,
    coverage,
    alike,
    kin,
    bigrams: Math.min(3, bigramsOf(stems).filter((bigram) => query.bigrams.has(bigram)).length) / 3,
    answers: meanings.answers(entry, weight),
    // Those that the company was taken from would otherwise vouch for themselves.
    company: teachers.has(entry) ? kept / 2 : kept,
    clause: Math.max(0, ...query.clauses.map(share)),
    who: query.asksWho && FULL_NAME.test(memory.text) ? 1 : 0,
    when: query.asksWhen && TIME.test(memory.text) ? 1 : 0,
    length: Math.log(stems.length + 1) / 5,
  }
}

/** 0..1: how much of a context's name the query holds, by weight. */
function nameCoverage({ query, weight }: Pool): (subject: Subject) => number {
  const asked = new Set(query.terms)
  return ({ name }) => {
    if (name.every((stem) => asked.has(stem))) return name.length === 0 ? 0 : 1
    const whole = sum(name.map(weight))
    return whole === 0 ? 0 : sum(name.filter((stem) => asked.has(stem)).map(weight)) / whole
  }
}
