import type { Json, JsonObject } from '../model.js'
import { pointerStep } from '../pointer.js'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_LIST = 0x5b
const BYTE_ORDER_MARK = Buffer.of(0xef, 0xbb, 0xbf)

/** So many bytes are parsed at once: a few milliseconds' work. */
const PIECE = 256 * 1024

/** A part of a JSON text: some items of a list or some members of an object, in brackets of their own, or a plain value. */
export interface JsonPiece {
  readonly text: string
  /** The pointer to what it is a part of. */
  readonly path: string
  /** The place of its first item, if it is a part of a list. */
  readonly first: number | undefined
  /** How deep what it is a part of lies. */
  readonly depth: number
}

/** Something lies deeper than it may. */
export class TooDeep extends Error {}

/** A member is given twice, in two pieces of one object. */
export class RepeatedMember extends Error {
  readonly path: string

  constructor(path: string) {
    super(`${path} is given twice.`)
    this.path = path
  }
}

/**
 * The value of a long JSON text in UTF-8, parsed by `parse` in pieces of `PIECE` bytes or so. A text that is not JSON throws a
 * `SyntaxError`. Lists and objects are taken apart for as long as they are long, `mostLevels` deep at most.
 */
export function parseLargeJson(
  bytes: Buffer,
  mostLevels: number,
  parse: (piece: JsonPiece) => Json = ({ text }) => JSON.parse(text),
  pieceBytes = PIECE,
): Generator<void, Json> {
  return new Parsing(bytes, mostLevels, parse, pieceBytes).whole()
}

/** What is being put together. */
interface Container {
  readonly value: Json[] | { [key: string]: Json }
  readonly path: string
  readonly depth: number
}

class Parsing {
  readonly #bytes: Buffer
  readonly #mostLevels: number
  readonly #parse: (piece: JsonPiece) => Json
  readonly #pieceBytes: number

  constructor(bytes: Buffer, mostLevels: number, parse: (piece: JsonPiece) => Json, pieceBytes: number) {
    this.#pieceBytes = pieceBytes
    this.#bytes = bytes
    this.#mostLevels = mostLevels
    this.#parse = parse
  }

  *whole(): Generator<void, Json> {
    const start = this.#skipSpace(
      this.#bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0,
    )
    const { value, end } = yield* this.#value(start, '', 0)
    const after = this.#skipSpace(end)
    if (after < this.#bytes.length) throw this.#unexpected(after)
    return value
  }

  *#value(start: number, path: string, depth: number): Generator<void, { value: Json; end: number }> {
    const code = this.#bytes[start]
    if (isOpening(code)) {
      if (depth >= this.#mostLevels) throw new TooDeep()
      const value: Container['value'] = code === OPEN_LIST ? [] : {}
      const end = yield* this.#fill({ value, path, depth }, start)
      return { value, end }
    }
    const end = this.#endOfPlain(start)
    return { value: this.#parsed(start, end, '', { path, first: undefined, depth }), end }
  }

  /** Puts a list or an object together from pieces; resolves to where it ends. */
  *#fill(container: Container, start: number): Generator<void, number> {
    const bytes = this.#bytes
    // Where the piece begins that is not parsed yet, and where the last item of it does.
    let piece = start + 1
    let item = piece
    let levels = 0
    for (let at = piece; at < bytes.length; ) {
      const code = bytes[at]
      if (code === QUOTE) at = this.#endOfText(at)
      else if (isOpening(code)) {
        levels++
        at++
      } else if (isClosing(code)) {
        if (levels === 0) {
          if (!isPair(bytes[start], code)) throw this.#unexpected(at)
          this.#take(container, piece, at)
          return at + 1
        }
        levels--
        at++
      } else {
        at++
        if (levels > 0 || code !== COMMA) continue
        if (at - piece > this.#pieceBytes) {
          this.#takeSome(container, piece, at - 1)
          piece = at
          yield
        }
        item = at
      }
      if (levels === 0 || at - item <= this.#pieceBytes) continue
      // One item is so long that it is taken apart itself.
      if (item > piece) this.#takeSome(container, piece, item - 1)
      yield
      at = yield* this.#long(container, item)
      at = this.#skipSpace(at)
      if (isClosing(bytes[at])) {
        if (!isPair(bytes[start], bytes[at])) throw this.#unexpected(at)
        return at + 1
      }
      if (bytes[at] !== COMMA) throw this.#unexpected(at)
      this.#refuseEndAfter(at)
      piece = item = ++at
      levels = 0
    }
    throw this.#unexpected(bytes.length)
  }

  /** One item or member by itself. */
  *#long({ value, path, depth }: Container, start: number): Generator<void, number> {
    let at = this.#skipSpace(start)
    if (Array.isArray(value)) {
      const inner = yield* this.#value(at, `${path}/${value.length}`, depth + 1)
      value.push(inner.value)
      return inner.end
    }
    if (this.#bytes[at] !== QUOTE) throw this.#unexpected(at)
    const end = this.#endOfText(at)
    // Parsed as a member, so that its name is looked at as those of others are.
    const [key = ''] = Object.keys(this.#parsed(at, end, '{:0}', { path, first: undefined, depth }) ?? {})
    at = this.#skipSpace(end)
    if (this.#bytes[at] !== COLON) throw this.#unexpected(at)
    const inner = yield* this.#value(this.#skipSpace(at + 1), `${path}/${pointerStep(key)}`, depth + 1)
    put(value, key, inner.value, path)
    return inner.end
  }

  /** Parses some items or members, and adds them; gives their number. */
  #take({ value, path, depth }: Container, start: number, end: number): number {
    if (Array.isArray(value)) {
      const some = this.#parsed(start, end, '[]', { path, first: value.length, depth })
      if (!Array.isArray(some)) return 0
      for (const item of some) value.push(item)
      return some.length
    }
    const some = Object.entries(
      this.#parsed(start, end, '{}', { path, first: undefined, depth }) as JsonObject,
    )
    for (const [key, item] of some) put(value, key, item, path)
    return some.length
  }

  /** The same for what a comma follows, so that there is something before it and after it. */
  #takeSome(container: Container, start: number, comma: number): void {
    if (this.#take(container, start, comma) === 0) throw this.#unexpected(comma)
    this.#refuseEndAfter(comma)
  }

  #parsed(start: number, end: number, around: string, where: Omit<JsonPiece, 'text'>): Json {
    const text = `${around.slice(0, 1)}${this.#bytes.toString('utf8', start, end)}${around.slice(1)}`
    try {
      return this.#parse({ text, ...where })
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
      throw new SyntaxError(`${error.message} in the part from byte ${start} to ${end}`)
    }
  }

  #skipSpace(from: number): number {
    let at = from
    while (isSpace(this.#bytes[at])) at++
    return at
  }

  #endOfText(start: number): number {
    for (let at = this.#bytes.indexOf(QUOTE, start + 1); at >= 0; at = this.#bytes.indexOf(QUOTE, at + 1)) {
      let before = at - 1
      while (this.#bytes[before] === BACKSLASH) before--
      if ((at - before) % 2 === 1) return at + 1
    }
    throw this.#unexpected(this.#bytes.length)
  }

  #endOfPlain(start: number): number {
    if (this.#bytes[start] === QUOTE) return this.#endOfText(start)
    let at = start
    for (let code = this.#bytes[at]; code !== undefined; code = this.#bytes[++at])
      if (code === COMMA || isClosing(code) || isSpace(code)) break
    return at
  }

  #refuseEndAfter(comma: number): void {
    const at = this.#skipSpace(comma + 1)
    if (isClosing(this.#bytes[at])) throw this.#unexpected(at)
  }

  #unexpected(at: number): SyntaxError {
    return new SyntaxError(
      at >= this.#bytes.length ? 'Unexpected end of JSON input' : `Unexpected character at byte ${at}`,
    )
  }
}

function put(object: { [key: string]: Json }, key: string, value: Json, path: string): void {
  if (Object.hasOwn(object, key)) throw new RepeatedMember(`${path}/${pointerStep(key)}`)
  // As JSON.parse does, also for a member of the name __proto__.
  Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true })
}

// [ and { are 0x5b and 0x7b, ] and } are 0x5d and 0x7d.
function isOpening(code: number | undefined): boolean {
  return code === 0x5b || code === 0x7b
}

function isClosing(code: number | undefined): boolean {
  return code === 0x5d || code === 0x7d
}

function isPair(opening: number | undefined, closing: number | undefined): boolean {
  return (opening ?? 0) + 2 === closing
}

function isSpace(code: number | undefined): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
}
