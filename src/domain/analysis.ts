import { stemmer } from 'stemmer'

/** English words that say nothing about the subject. */
const STOP_WORDS = new Set(
  `a about after all also am an and any are as at be been before being both but by can could did do does doing done
  each for from further get had has have having he her here hers him his how i if in into is it its itself just me
  more most my no nor not now of off on once only or other our ours out over own per same she should so some such than
  that the their theirs them then there these they this those through to too under until up upon us very was we were
  what when where which while who whom why will with would you your yours`.split(/\s+/),
)

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

/** The stems of a text in reading order, stop words left out: what the index holds and what a query is made of. */
export function stemsOf(text: string): string[] {
  const stems: string[] = []
  for (const token of tokensOf(text)) for (const stem of remembered(token)) stems.push(stem)
  return stems
}

/** Does this word, in lower case, say nothing about the subject? */
export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word)
}

/** The words of a text in lower case, stop words left out; identifiers in their parts. */
export function wordsOf(text: string): string[] {
  const words: string[] = []
  for (const token of tokensOf(text)) for (const word of partsOf(token)) words.push(word)
  return words
}

function tokensOf(text: string): readonly string[] {
  const plain = text.normalize('NFKC')
  return (APOSTROPHE.test(plain) ? plain.replace(CLITIC, '') : plain).match(TOKEN) ?? []
}

/** The stem of one word, as `wordsOf` gives it. */
export function stemOf(word: string): string {
  return remembered(word)[0] ?? word
}

/** The distinct stems of a query, in the order in which they first occur. */
export function queryTerms(query: string): string[] {
  return [...new Set(stemsOf(query))]
}

const knownParts = new Map<string, readonly string[]>()

function partsOf(token: string): readonly string[] {
  const known = knownParts.get(token)
  if (known !== undefined) return known
  const whole = UNSPACED.test(token) ? segments(token) : [token]
  const words = whole.flatMap((word) => word.split(HUMP).map((part) => part.toLowerCase()))
  const parts = words.filter((word) => !STOP_WORDS.has(word))
  if (knownParts.size >= MOST_REMEMBERED) knownParts.clear()
  if (token.length <= MAX_WORD) knownParts.set(token, parts)
  return parts
}

const MOST_REMEMBERED = 50_000
const memory = new Map<string, readonly string[]>()

/** The stems of one token. A few thousand tokens make up most texts, and stemming is the dearest part of reading one. */
function remembered(token: string): readonly string[] {
  const known = memory.get(token)
  if (known !== undefined) return known
  const stems = stemsOfToken(token)
  // Forgetting all at once, now and then, is cheaper than keeping count of what was used when.
  if (memory.size >= MOST_REMEMBERED) memory.clear()
  if (token.length <= MAX_WORD) memory.set(token, stems)
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
