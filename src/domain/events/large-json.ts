import type { Json } from '../model.js'
import { pointerStep } from '../pointer.js'
import { isObject } from '../text.js'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_LIST = 0x5b
const BYTE_ORDER_MARK = Buffer.of(0xef, 0xbb, 0xbf)

/** So many bytes are parsed at once: a few milliseconds' work. */
const PIECE_BYTES = 256 * 1024

/** A part of a JSON text as a JSON text of its own: the lists and objects around it are opened and closed in it as well. */
export interface JsonPiece {
  readonly text: string
  /** Turns a pointer into the piece into a pointer into the whole. */
  readonly inWhole: (pointer: string) => string
}

/** Something is nested deeper than it may be. */
export class TooDeep extends Error {}

/** A member is given twice, in two pieces of one object. */
export class RepeatedMember extends Error {
  readonly path: string

  constructor(path: string) {
    super(`${path} is given twice.`)
    this.path = path
  }
}

/** A list or an object that is open at some byte: the index of its latest item, or the byte where the latest name begins. */
interface Open {
  readonly isList: boolean
  latest: number
}

/** What leads from the root to where the text was cut: the index of an item in a list, or the name of a member. */
type Step = number | string

/**
 * The value of a long JSON text in UTF-8, cut at commas into pieces of `pieceBytes` or a little more, which `parse` parses. A text
 * that is not JSON throws a `SyntaxError`, and one that is nested more than `maxDepth` levels deep `TooDeep`.
 */
export function* parseLargeJson(
  bytes: Buffer,
  maxDepth: number,
  parse: (piece: JsonPiece) => Json = ({ text }) => JSON.parse(text),
  pieceBytes = PIECE_BYTES,
): Generator<void, Json> {
  const open: Open[] = []
  let start = bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0
  let steps: readonly Step[] = []
  let whole: Json = null
  let text = start
  let before: number | undefined

  /** Parses a piece, and adds it to what the pieces before it made. */
  function take(end: number, closing: string): void {
    const around = steps
    const piece = opening(around) + bytes.toString('utf8', start, end) + closing
    try {
      const value = parse({ text: piece, inWhole: (pointer) => inWhole(pointer, around) })
      if (around.length === 0) whole = value
      else append(value, whole, around, '')
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
      throw new SyntaxError(`${error.message} in the part from byte ${start} to ${end}`)
    }
  }

  function stepOf({ isList, latest }: Open): Step {
    return isList ? latest : String(JSON.parse(bytes.toString('utf8', latest, endOfText(bytes, latest))))
  }

  for (let at = start; at < bytes.length; at++) {
    const code = bytes[at]
    if (code === QUOTE) {
      text = at
      at = endOfText(bytes, at) - 1
    } else if (isOpening(code)) {
      if (open.length >= maxDepth) throw new TooDeep()
      open.push({ isList: code === OPEN_LIST, latest: 0 })
    } else if (isClosing(code)) open.pop()
    else if (code === COLON || code === COMMA) {
      const inner = open.at(-1)
      if (inner === undefined) continue
      if (code === COLON) inner.latest = text
      else if (inner.isList) inner.latest++
      if (code === COMMA && at - start > pieceBytes) {
        rejectStrayComma(bytes, before, at)
        take(at, closing(open))
        steps = open.map(stepOf)
        start = at + 1
        yield
      }
    }
    if (!isSpace(code)) before = code
  }
  take(bytes.length, '')
  return whole
}

/** Refuses a comma without an item before or after it, which neither of the pieces that it parts would show. */
function rejectStrayComma(bytes: Buffer, before: number | undefined, comma: number): void {
  let next = comma + 1
  while (isSpace(bytes[next])) next++
  if (isOpening(before) || isClosing(bytes[next]) || bytes[next] === COMMA)
    throw new SyntaxError(`Unexpected character at byte ${comma}`)
}

/** Opens the lists and objects that a piece begins in. The innermost goes on with its next item, the others with the same one. */
function opening(steps: readonly Step[]): string {
  const open = steps.map((step, i) => {
    if (typeof step === 'number') return '['
    return i < steps.length - 1 ? `{${JSON.stringify(step)}:` : '{'
  })
  return open.join('')
}

function closing(open: readonly Open[]): string {
  return open
    .map(({ isList }) => (isList ? ']' : '}'))
    .reverse()
    .join('')
}

function inWhole(pointer: string, around: readonly Step[]): string {
  const steps = pointer.split('/')
  for (const [i, step] of around.entries()) {
    const own = steps[i + 1]
    if (own === undefined) break
    if (typeof step === 'number') steps[i + 1] = String(step + Number(own))
    if (own !== (typeof step === 'number' ? '0' : pointerStep(step))) break
  }
  return steps.join('/')
}

/** Adds a piece to the lists and objects that it goes on with. */
function append(
  piece: Json | undefined,
  to: Json | undefined,
  [step, ...inner]: readonly Step[],
  path: string,
): void {
  if (typeof step === 'number' && Array.isArray(to) && Array.isArray(piece)) {
    if (inner.length > 0) append(piece.shift(), to[step], inner, `${path}/${step}`)
    for (const item of piece) to.push(item)
  } else if (typeof step === 'string' && isObject(to) && isObject(piece)) {
    const pathOf = (name: string) => `${path}/${pointerStep(name)}`
    if (inner.length > 0) append(piece[step], to[step], inner, pathOf(step))
    for (const [name, value] of Object.entries(piece)) {
      if (inner.length > 0 && name === step) continue
      if (Object.hasOwn(to, name)) throw new RepeatedMember(pathOf(name))
      // As JSON.parse does, also for a member of the name __proto__.
      Object.defineProperty(to, name, { value, writable: true, enumerable: true, configurable: true })
    }
    // Another member of the same name has taken its place in the piece.
  } else throw new RepeatedMember(path)
}

/** The end of the text that begins with the quote at `start`; without another quote, the end of the bytes. */
function endOfText(bytes: Buffer, start: number): number {
  for (let at = bytes.indexOf(QUOTE, start + 1); at >= 0; at = bytes.indexOf(QUOTE, at + 1)) {
    let before = at - 1
    while (bytes[before] === BACKSLASH) before--
    if ((at - before) % 2 === 1) return at + 1
  }
  return bytes.length
}

// [ and { are 0x5b and 0x7b, ] and } are 0x5d and 0x7d.
function isOpening(code: number | undefined): boolean {
  return code === 0x5b || code === 0x7b
}

function isClosing(code: number | undefined): boolean {
  return code === 0x5d || code === 0x7d
}

function isSpace(code: number | undefined): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
}
