import type { FieldError } from '../failure.js'
import type { Json } from '../model.js'
import { pointerStep } from '../pointer.js'
import { quote } from '../quote.js'

const LONE_SURROGATE = /\p{Cs}/u
const MAX_MISTAKES = 20

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
 * colon?
 */
export function scanJson(text: string): Scanned {
  let depth = 0
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
    if (errors.length >= MAX_MISTAKES) return
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

/**
 * The numbers in a JSON text that nothing could give back: whole numbers that a double would change, which may be ids,
 * and those that it would make infinite or 0. Fractions are rounded to the nearest double, and -0 is 0.
 */
export function changedNumbers(text: string): FieldError[] {
  const mistakes: FieldError[] = []
  for (const { kind, written, pointer } of placesIn(text)) {
    const message = kind === 'number' ? mistakeOf(written) : undefined
    if (message === undefined) continue
    mistakes.push({ path: pointer(), message })
    if (mistakes.length === MAX_MISTAKES) break
  }
  return mistakes
}

function mistakeOf(written: string): string | undefined {
  const value = Number(written)
  if (/^-?\d{1,15}$/.test(written)) return undefined
  const number = decimalOf(written)
  if (!Number.isFinite(value) || (value === 0 && number.digits !== ''))
    return 'must be a number that fits a double; send it as text'
  if (value === 0 || number.exponent < 0) return undefined
  const back = decimalOf(String(value))
  if (back.digits === number.digits && back.exponent === number.exponent) return undefined
  return `must not change, and would come back as ${value}; send it as text`
}

interface Decimal {
  /** Without zeros at either end. */
  readonly digits: string
  /** The power of ten of the last digit: below 0 for a fraction. */
  readonly exponent: number
}

const NUMBER = /^-?(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i

function decimalOf(written: string): Decimal {
  const [, whole = '', fraction = '', power = '0'] = NUMBER.exec(written) ?? []
  const all = whole + fraction
  let [start, end] = [0, all.length]
  while (all[start] === '0') start++
  while (end > start && all[end - 1] === '0') end--
  return { digits: all.slice(start, end), exponent: Number(power) - fraction.length + all.length - end }
}

/** A number or the name of a member in a JSON text, as it is written, with the pointer to its value. */
interface JsonPlace {
  readonly kind: 'number' | 'name'
  readonly written: string
  readonly pointer: () => string
}

/** A text, a number, or something that opens, closes or parts. */
const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|[[\]{},:]/gs

/** Goes through a text that is JSON. Each place is looked at before the next is taken. */
function* placesIn(text: string): Generator<JsonPlace> {
  /** The name of a member, or the index of an item. */
  const steps: (string | number)[] = []
  const pointer = () => steps.map((step) => `/${pointerStep(String(step))}`).join('')
  let last = ''
  for (const [token] of text.matchAll(TOKEN)) {
    const top = steps.length - 1
    const step = steps[top]
    if (token === '{') steps.push('')
    else if (token === '[') steps.push(0)
    else if (token === '}' || token === ']') steps.pop()
    else if (token === ',') {
      if (typeof step === 'number') steps[top] = step + 1
    } else if (token === ':') {
      steps[top] = JSON.parse(last) as string
      yield { kind: 'name', written: last, pointer }
    } else if (!token.startsWith('"')) yield { kind: 'number', written: token, pointer }
    last = token
  }
}

/**
 * What is wrong with a JSON text that could be parsed, by what `scanJson` found: all that `mistakesIn` and, unless numbers may be
 * rounded, `changedNumbers` find; otherwise a member that is given twice, which JSON allows and readers understand differently.
 */
export function mistakesInText(
  text: string,
  value: Json,
  { suspicious, longNumbers, members }: Scanned,
  mayRound = false,
): FieldError[] {
  const mistakes = [
    ...(suspicious ? mistakesIn(value, '') : []),
    ...(longNumbers && !mayRound ? changedNumbers(text) : []),
  ]
  // As a rule the text has as many members as the value, and then nothing needs to be looked for.
  if (mistakes.length > 0 || membersOf(value) === members) return mistakes.slice(0, MAX_MISTAKES)
  const seen = new Set<string>()
  for (const { kind, pointer } of placesIn(text)) {
    if (kind !== 'name') continue
    const path = pointer()
    if (seen.has(path)) return [{ path, message: 'must be given only once' }]
    seen.add(path)
  }
  return []
}

function membersOf(value: Json): number {
  if (value === null || typeof value !== 'object') return 0
  let members = Array.isArray(value) ? 0 : Object.keys(value).length
  for (const item of Object.values<Json>(value)) members += membersOf(item)
  return members
}
