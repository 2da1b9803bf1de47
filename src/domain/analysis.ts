import { stemmer } from 'stemmer'

/** English words that say nothing about the subject. */
const STOP_WORDS = new Set(
  `a about after all also am an and any are as at be been before being both but by can could did do does doing done
  each for from further get had has have having he her here hers him his how i if in into is it its itself just me
  more most my no nor not now of off on once only or other our ours out over own per same she should so some such than
  that the their theirs them then there these they this those through to too under until up upon us very was we were
  what when where which while who whom why will with would you your yours`.split(/\s+/),
)

const TOKEN = /[\p{L}\p{M}\p{N}]+|\p{Extended_Pictographic}/gu
const CAMEL = /(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u
/** Scripts written without spaces between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const segmenter = new Intl.Segmenter('und', { granularity: 'word' })

/** The stems of a text in reading order, stop words left out: what the index holds and what a query is made of. */
export function stemsOf(text: string): string[] {
  const stems: string[] = []
  for (const [token] of text.normalize('NFKC').matchAll(TOKEN))
    for (const part of UNSPACED.test(token) ? segments(token) : token.split(CAMEL)) {
      const word = part.toLowerCase()
      if (!STOP_WORDS.has(word)) stems.push(stem(word))
    }
  return stems
}

/** The distinct stems of a query, in the order in which they first occur. */
export function queryTerms(query: string): string[] {
  return [...new Set(stemsOf(query))]
}

const ASCII_WORD = /^[a-z]+$/
const MAX_WORD = 64

/** Porter's stem for English words; anything else, numbers included, stays as it is. */
function stem(word: string): string {
  return word.length <= MAX_WORD && ASCII_WORD.test(word) ? stemmer(word) : word
}

function segments(token: string): string[] {
  return Array.from(segmenter.segment(token), (segment) => segment.segment)
}
