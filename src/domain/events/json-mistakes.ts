import type { FieldError } from '../failure.js'
import type { Json } from '../model.js'
import { pointerStep } from '../pointer.js'
import { quote } from '../quote.js'

const LONE_SURROGATE = /\p{Cs}/u
const MOST_MISTAKES = 20

/** More levels than any request or line of an export has, and no more than the stack can bear. */
export const MAX_DEPTH = 64

const QUOTE = 0x22
const LOWER_D = 0x64
const LOWER_E = 0x65
const LOWER_U = 0x75
const COLON = 0x3a
const POINT = 0x2e
const ZERO = 0x30
const NINE = 0x39
/** A double holds every whole number of so many digits. */
const SAFE_DIGITS = 15

/**
 * One pass over a JSON text, without recursion: is it nested more than `MAX_DEPTH` levels deep, does anything in it call
 * for `mistakesIn` (an escape that may be NUL or half of a surrogate pair) or for `changedNumbers` (a number with an
 * exponent or more than `SAFE_DIGITS` digits before the point)? And how many members do its objects have, one for each
 * colon? `within` is how many levels it lies deep itself.
 */
export function scanJson(text: string, within = 0): Scanned {
  let depth = within
  let members = 0
  let digits = 0
  let isFraction = false
  let suspicious = false
  let longNumbers = false
  let nextEscape = -1
  let nextQuote = -1
  /** Where the text ends that goes on from `start`; escapes in it are looked at. Long texts are not gone through one by one. */
  const endOfText = (start: number): number => {
    for (let at = start; ; at = nextEscape + 2) {
      if (nextEscape < at) nextEscape = indexFrom(text, '\\', at)
      if (nextQuote < at) nextQuote = indexFrom(text, '"', at)
      if (nextQuote <= nextEscape) return nextQuote
      if (text.charCodeAt(nextEscape + 1) !== LOWER_U) continue
      const first = text.charCodeAt(nextEscape + 2)
      if (first === ZERO || (first | 0x20) === LOWER_D) suspicious = true
    }
  }
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === QUOTE) {
      i = endOfText(i + 1)
      digits = 0
    } else if (code >= ZERO && code <= NINE) {
      if (++digits > SAFE_DIGITS && !isFraction) longNumbers = true
    } else {
      if ((code | 0x20) === LOWER_E && digits > 0) longNumbers = true
      isFraction = code === POINT
      digits = 0
      // [ and { are 0x5b and 0x7b, ] and } are 0x5d and 0x7d.
      if ((code | 0x20) === 0x7b) {
        if (++depth > MAX_DEPTH) return { tooDeep: true, suspicious, longNumbers, members }
      } else if ((code | 0x20) === 0x7d) depth--
      else if (code === COLON) members++
    }
  }
  return { tooDeep: false, suspicious, longNumbers, members }
}

/** The end of the text if it is not there. */
function indexFrom(text: string, wanted: string, from: number): number {
  const at = text.indexOf(wanted, from)
  return at < 0 ? text.length : at
}

interface Scanned {
  readonly tooDeep: boolean
  readonly suspicious: boolean
  readonly longNumbers: boolean
  readonly members: number
}

/** Walks a value of bounded depth and names the fields that JSON allows and nothing could keep: NUL characters and lone surrogates. */
export function mistakesIn(root: Json, at: string): FieldError[] {
  const errors: FieldError[] = []
  const visit = (value: Json, path: string) => {
    if (errors.length >= MOST_MISTAKES) return
    if (typeof value === 'string') note(textMistake(value), path)
    else if (value !== null && typeof value === 'object')
      for (const [key, item] of Object.entries<Json>(value)) {
        const mistake = textMistake(key)
        if (mistake === undefined) visit(item, `${path}/${pointerStep(key)}`)
        else note(`has the key ${quote(key)}; a key ${mistake}`, path)
      }
  }
  const note = (message: string | undefined, path: string) => {
    if (message !== undefined) errors.push({ path, message })
  }
  visit(root, at)
  return errors
}

function textMistake(text: string): string | undefined {
  if (text.includes('\0')) return 'must not hold a NUL character'
  return LONE_SURROGATE.test(text) ? 'must not hold half of a surrogate pair' : undefined
}
