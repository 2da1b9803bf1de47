import { stemmer } from 'stemmer'
import type { Memo } from '../memo.js'
import type { MemoKind, TextCache } from '../text-cache.js'

/** English words that say nothing about the subject. */
const STOP_WORDS = new Set(
  `a about after all also am an and any are as at be been before being both but by can could did do does doing done
  each for from further get had has have having he her here hers him his how i if in into is it its itself just me
  more most my no nor not now of off on once only or other our ours out over own per same she should so some such than
  that the their theirs them then there these they this those through to too under until up upon us very was we were
  what when where which while who whom why will with would you your yours`.split(/\s+/),
)

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are as plain as the rest
const ASCII = /^[\x00-\x7f]*$/
const ASCII_TOKEN = /[A-Za-z0-9]+/g
const TOKEN = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*|\p{Regional_Indicator}{1,2}|\p{Extended_Pictographic}/gu
/** What an apostrophe joins to a word: the `'s` of `what's`, the `n't` of `don't`. It says nothing by itself. */
const CLITIC = /\b(?:ai|ca|sha|wo)n['’]t\b|(?<=\p{L})(?:n['’]t|['’](?:s|m|d|re|ll|ve))(?![\p{L}\p{N}])/giu
const APOSTROPHE = /['’]/u
/** Where an identifier parts: `useState`, `HTTPServer`, `base64Encode`. */
const HUMP = /(?<=\p{Ll})(?=\p{Lu})|(?<=[\p{Lu}\p{N}])(?=\p{Lu}\p{Ll})/u
/** Scripts written without spaces between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const segmenter = new Intl.Segmenter('und', { granularity: 'word' })
/** Segmenting takes the square of the length, so long runs are cut first. */
const SEGMENTED_AT_ONCE = /.{1,256}/gsu

/** A few thousand tokens make up most texts, and stemming is the dearest part of reading one. */
const STEMS: MemoKind<readonly string[]> = { most: 50_000 }

/**
 * The stems of a text in reading order, stop words left out: what the index holds and what a query is made of. The
 * tokens of the text are remembered in `texts`, if it is given.
 */
export function stemsOf(text: string, texts?: TextCache): string[] {
  const known = texts?.memo(STEMS)
  const stems: string[] = []
  for (const token of tokensOf(text)) for (const stem of knownStems(token, known)) stems.push(stem)
  return stems
}

/** Does this word, in lower case, say nothing about the subject? */
export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word)
}

function tokensOf(text: string): readonly string[] {
  // Most texts are plain, and taking those apart is several times as fast.
  const isAscii = ASCII.test(text)
  const plain = isAscii ? text : text.normalize('NFKC')
  const bare = APOSTROPHE.test(plain) ? plain.replace(CLITIC, '') : plain
  return bare.match(isAscii ? ASCII_TOKEN : TOKEN) ?? []
}

/** The stem of one word. */
export function stemOf(word: string): string {
  return stemsOfToken(word)[0] ?? word
}

/** The distinct stems of a query, in the order in which they first occur. */
export function queryTerms(query: string, texts?: TextCache): string[] {
  return [...new Set(stemsOf(query, texts))]
}

function knownStems(token: string, known: Memo<string, readonly string[]> | undefined): readonly string[] {
  const before = known?.get(token)
  if (before !== undefined) return before
  const stems = stemsOfToken(token)
  if (token.length <= MAX_WORD) known?.set(token, stems)
  return stems
}

function stemsOfToken(token: string): string[] {
  const words = UNSPACED.test(token) ? segments(token).flatMap(parts) : parts(token)
  return words
    .map((word) => word.toLowerCase().normalize('NFC'))
    .filter((word) => !STOP_WORDS.has(word))
    .map(stem)
}

const ASCII_WORD = /^[a-z]+$/
const MAX_WORD = 64

/** Porter's stem for English words; anything else, numbers included, stays as it is. */
function stem(word: string): string {
  return word.length <= MAX_WORD && ASCII_WORD.test(word) ? stemmer(word) : word
}

/** The parts of an identifier, then the whole: `TypeScript` is found as `typescript`, which is how names are folded. */
function parts(word: string): string[] {
  const humps = word.split(HUMP)
  return humps.length > 1 ? [...humps, word] : humps
}

function segments(token: string): string[] {
  const runs = token.match(SEGMENTED_AT_ONCE) ?? []
  return runs.flatMap((run) => Array.from(segmenter.segment(run), ({ segment }) => segment))
}
