import { queryTerms, stemsOf } from '../search/text-analysis.js'
import type { TextCache } from '../text-cache.js'

/** A question, taken apart. */
export interface Query {
  /** Distinct stems, in the order in which they first occur. */
  readonly terms: readonly string[]
  /** The stems of each clause with at least two; the whole if there is at most one such clause. */
  readonly clauses: readonly (readonly string[])[]
  readonly isOneWord: boolean
  readonly asksWho: boolean
  readonly asksWhen: boolean
  /** For a yes-no question, the distinct stems after its first word; otherwise empty. */
  readonly whether: readonly string[]
}

const CLAUSE_BREAK = /[,.;:?!]+|\b(?:and|or|but|then)\b/i
const WHO = /\b(?:who|whom|whose)\b/i
const WHEN = /\b(?:when|how long|until|since|(?:what|which) (?:date|time|day))\b/i
const WHETHER = /^\s*(?:am|are|can|could|did|do|does|had|has|have|is|may|must|should|was|were|will|would)\b/i

export function analyse(text: string, texts?: TextCache): Query {
  const terms = queryTerms(text, texts)
  const clauses = text
    .split(CLAUSE_BREAK)
    .map((clause) => queryTerms(clause, texts))
    .filter((clause) => clause.length >= 2)
  return {
    terms,
    clauses: clauses.length > 1 ? clauses : [terms],
    isOneWord: isOneWord(text, texts),
    asksWho: WHO.test(text),
    asksWhen: WHEN.test(text),
    whether: WHETHER.test(text) ? queryTerms(text.replace(WHETHER, ''), texts) : [],
  }
}

/** In a script without spaces, what reads as one word may be many. */
export function isOneWord(text: string, texts?: TextCache): boolean {
  return !/\s/u.test(text.trim()) && stemsOf(text, texts).length <= 1
}
