import { Failure } from './failure.js'
import type { ContextId } from './model.js'

export const MAX_TYPE_LENGTH = 64
export const MAX_NAME_LENGTH = 200

/** Control characters, bidirectional controls and lone surrogates: never part of a name. */
const FORBIDDEN = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u
/** Soft hyphens and what has no width: two names that differ in these alone look the same. Joiners mean something, and stay. */
const INVISIBLE = /[\u00ad\u200b\u2060\ufeff]/gu
const WHITE_SPACE = /\s+/gu
const SEPARATOR = /[\s_\-.:/]/u
const SEPARATORS = /[\s_\-.:/]+/u

/**
 * One spelling for all spellings of a name: NFKC, trimmed, lower case, runs of white space as `_`, nothing invisible.
 * Folding twice changes nothing.
 */
export function fold(raw: string): string {
  return raw
    .replace(INVISIBLE, '')
    .normalize('NFKC')
    .trim()
    .toLowerCase()
    .normalize('NFKC')
    .replace(WHITE_SPACE, '_')
}

export function foldType(raw: string, path = '/context_type'): string {
  const type = foldChecked(raw, 'context type', MAX_TYPE_LENGTH, path)
  if (type.includes(':')) throw invalid(path, 'A context type has no colon.')
  return type
}

export function foldName(raw: string, path = '/name'): string {
  return foldChecked(raw, 'context name', MAX_NAME_LENGTH, path)
}

/** Folds `type:name`; the first colon parts them, so a name may hold further ones. */
export function foldContextId(raw: string, path = '/context_id'): ContextId {
  const compatible = raw.normalize('NFKC')
  const colon = compatible.indexOf(':')
  if (colon < 0) throw invalid(path, 'A context id is written type:name.')
  return contextId(foldType(compatible.slice(0, colon), path), foldName(compatible.slice(colon + 1), path))
}

/** Joins a folded type and a folded name. */
export function contextId(type: string, name: string): ContextId {
  return `${type}:${name}`
}

/** Parts a folded context id. */
export function splitContextId(id: ContextId): { type: string; name: string } {
  const colon = id.indexOf(':')
  return { type: id.slice(0, colon), name: id.slice(colon + 1) }
}

/** A search over the names and types of contexts, ready to be matched. */
export interface NameQuery {
  /** The whole query, folded. */
  readonly text: string
  /** Its parts; a query of separators only is its own single part. */
  readonly terms: readonly string[]
}

export function parseNameQuery(q: string): NameQuery {
  const text = fold(q)
  const terms = [...new Set(text.split(SEPARATORS).filter((word) => word !== ''))]
  return { text, terms: terms.length > 0 || text === '' ? terms : [text] }
}

/**
 * How well a context fits a query: 0 its id is the query, 1 its name is the query, 2 its name starts with it, 3 every term
 * starts a word of its type or name, 4 every term occurs somewhere in them; undefined when some term does not occur at all.
 */
export function nameRank(query: NameQuery, type: string, name: string): NameRank | undefined {
  if (query.terms.length === 0) return undefined
  if (!query.terms.every((term) => name.includes(term) || type.includes(term))) return undefined
  if (contextId(type, name) === query.text) return 0
  if (name === query.text) return 1
  if (name.startsWith(query.text)) return 2
  return query.terms.every((term) => startsWord(term, name) || startsWord(term, type)) ? 3 : 4
}

type NameRank = 0 | 1 | 2 | 3 | 4

/** Does a word of the text start with the term? A term of separators only starts none. */
function startsWord(term: string, text: string): boolean {
  if (SEPARATOR.test(term.charAt(0))) return false
  for (let at = text.indexOf(term); at >= 0; at = text.indexOf(term, at + 1))
    if (at === 0 || SEPARATOR.test(text.charAt(at - 1))) return true
  return false
}

const GRAM = 3

/** Every three characters (code points) in a row of a text; none of a shorter one. A name that holds the text holds them all. */
export function gramsOf(text: string): Set<string> {
  const grams = new Set<string>()
  const characters = [...text]
  for (let i = 0; i + GRAM <= characters.length; i++) grams.add(characters.slice(i, i + GRAM).join(''))
  return grams
}

/** The order of every list by name: by code unit, so that it is the same everywhere. */
export function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function foldChecked(raw: string, what: string, max: number, path: string): string {
  if (FORBIDDEN.test(raw))
    throw invalid(path, `A ${what} has no control characters, bidirectional controls or lone surrogates.`)
  const folded = fold(raw)
  if (folded === '') throw invalid(path, `A ${what} has at least one character that can be seen.`)
  if (folded === '.' || folded === '..')
    throw invalid(path, `A ${what} is neither . nor .. once it is folded.`)
  if ([...folded].length > max)
    throw invalid(path, `A ${what} has at most ${max} characters once it is folded.`)
  return folded
}

function invalid(path: string, message: string): Failure {
  return new Failure('invalid_name', message, { errors: [{ path, message }] })
}
