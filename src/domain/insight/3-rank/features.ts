import type { Entry, Subject } from '../1-analyse/entry.js'
import { EPSILON, sum } from '../1-analyse/entry.js'
import type { First, Pool } from '../2-retrieve/pool.js'
import { nearness } from './nearness.js'

/** What the ranker weighs. */
export const FEATURES = [
  'bm25',
  'coverage',
  'bigrams',
  'embedding',
  'thesaurus',
  'answers',
  'expansion',
  'clause',
  'subject',
  'linked_subject',
  'off_subject',
  'who',
  'when',
  'latest',
  'superseded',
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
  const wording = wordingOf(pool)
  const named = nameCoverage(pool)
  const namesSomething = pool.entries.some(({ subjects }) => subjects.some((subject) => named(subject) === 1))
  return pool.entries.map((entry) => {
    const words = wording(entry)
    const links = near(entry)
    const [own = 0, ...linked] = entry.subjects.map(named)
    // Written out, because spreading objects of this size takes longer than working them out.
    return {
      bm25: words.bm25,
      coverage: words.coverage,
      bigrams: words.bigrams,
      embedding: words.embedding,
      thesaurus: words.thesaurus,
      answers: words.answers,
      expansion: words.expansion,
      clause: words.clause,
      subject: own,
      linked_subject: Math.max(0, ...linked),
      off_subject: namesSomething && own !== 1 && !linked.includes(1) ? 1 : 0,
      who: words.who,
      when: words.when,
      latest: links.latest,
      superseded: entry.memory.trust.status === 'superseded' ? 1 : 0,
      context_coverage: links.context_coverage,
      same_context: links.same_context,
      adjacent: links.adjacent,
      reinforces: links.reinforces,
      reinforced: links.reinforced,
      extends: links.extends,
      extended: links.extended,
      contradicts: links.contradicts,
      contradicted: links.contradicted,
      replaces_basis: links.replaces_basis,
    }
  })
}

const NO_OPINION: First = { bm25: 0, coverage: 0, embedding: 0, thesaurus: 0, score: 0 }

/** What an entry says, beside what the query says. */
function wordingOf({ query, expansion, meanings, feedback, firsts, weight }: Pool) {
  const asked = new Set(query.terms)
  const clauses = query.clauses.map((clause) => {
    const terms = clause.map((term) => ({ term, value: weight(term) }))
    return { terms, whole: Math.max(EPSILON, sum(terms.map(({ value }) => value))) }
  })
  return (entry: Entry) => {
    const { memory, counts, stems } = entry
    const { bm25, coverage, embedding, thesaurus } = firsts.get(entry) ?? NO_OPINION
    let kept = 0
    for (const [term, value] of expansion) if (counts.has(term)) kept += value
    let clause = coverage
    for (const { terms, whole } of clauses) {
      let held = 0
      for (const { term, value } of terms) if (counts.has(term)) held += value
      clause = Math.max(clause, held / whole)
    }
    return {
      bm25,
      coverage,
      embedding,
      thesaurus,
      bigrams: Math.min(3, sharedBigrams(stems, asked, query.bigrams)) / 3,
      answers: meanings.answers(entry, weight),
      // Feedback memories would otherwise vouch for themselves.
      expansion: feedback.has(entry) ? kept / 2 : kept,
      // What is left of a question of one clause is its coverage, which counts already.
      clause: clause - coverage,
      who: query.asksWho && FULL_NAME.test(memory.text) ? 1 : 0,
      when: query.asksWhen && TIME.test(memory.text) ? 1 : 0,
    }
  }
}

function sharedBigrams(
  stems: readonly string[],
  asked: ReadonlySet<string>,
  bigrams: ReadonlySet<string>,
): number {
  let shared = 0
  for (let i = 1; i < stems.length; i++)
    if (asked.has(stems[i] ?? '') && bigrams.has(`${stems[i - 1]} ${stems[i]}`)) shared++
  return shared
}

/** 0..1: how much of a context's name the query holds, by weight. */
function nameCoverage({ query, weight }: Pool): (subject: Subject) => number {
  const asked = new Set(query.terms)
  const known = new Map<string, number>()
  const coverage = ({ name }: Subject) => {
    if (name.every((stem) => asked.has(stem))) return name.length === 0 ? 0 : 1
    const whole = sum(name.map(weight))
    return whole === 0 ? 0 : sum(name.filter((stem) => asked.has(stem)).map(weight)) / whole
  }
  return (subject) => {
    const before = known.get(subject.id)
    if (before !== undefined) return before
    const covered = coverage(subject)
    known.set(subject.id, covered)
    return covered
  }
}
