import { stemsOf, type Word, wordsOf } from '../../search/text-analysis.js'
import type { TextCache } from '../../text-cache.js'

/** What is asked, taken apart. */
export interface Query {
  /** Distinct stems, in the order in which they first occur. */
  readonly terms: readonly string[]
  /** Distinct words with the stem of each: what the lexicon is asked about. */
  readonly words: readonly Word[]
  /** Stems that follow one another. */
  readonly bigrams: ReadonlySet<string>
  /** The stems of each clause that has at least two; the whole when there is only one such clause. */
  readonly clauses: readonly (readonly string[])[]
  readonly asksWho: boolean
  readonly asksWhen: boolean
  readonly asksLatest: boolean
}

const CLAUSE_BREAK = /[,.;:?!]+|\b(?:and|or|but|then)\b/i
const WHO = /\b(?:who|whom|whose)\b/i
const LATEST = /\b(?:latest|newest|last|current|currently|now|most recent|recently|today|still|these days)\b/i
const WHEN = /\b(?:when|how long|until|since|(?:what|which) (?:date|time|day))\b/i

export function analyse(text: string, texts?: TextCache): Query {
  const stems = stemsOf(text, texts)
  const clauses = text
    .split(CLAUSE_BREAK)
    .map((clause) => [...new Set(stemsOf(clause, texts))])
    .filter((clause) => clause.length >= 2)
  return {
    terms: [...new Set(stems)],
    words: wordsOf(text, texts),
    bigrams: new Set(bigramsOf(stems)),
    clauses: clauses.length > 1 ? clauses : [[...new Set(stems)]],
    asksWho: WHO.test(text),
    asksWhen: WHEN.test(text),
    asksLatest: LATEST.test(text),
  }
}

export function bigramsOf(stems: readonly string[]): string[] {
  return stems.slice(1).map((stem, i) => `${stems[i]} ${stem}`)
}
