import { isUtf8 } from 'node:buffer'
import { MAX_DEPTH, mistakesInText, scanJson } from '../../domain/events/json-mistakes.js'
import { type JsonPiece, parseLargeJson, RepeatedMember, TooDeep } from '../../domain/events/large-json.js'
import type { Json } from '../../domain/model.js'
import { HttpFailure, invalidFields } from '../problems/problems.js'

const BODY = '/body'

/**
 * Parses a body, and refuses some valid JSON that the service cannot store or read safely: nesting that would
 * exhaust the stack, NUL characters, lone surrogates, numbers that a double cannot represent (see
 * `changedNumbers`), and repeated members (a proxy may have used the other value).
 *
 * With `mayRound`, numbers may be rounded: for bodies that are not recorded.
 */
export function parseJson(bytes: Buffer, mayRound = false): Json {
  checkUtf8(bytes)
  const text = bytes.toString('utf8')
  // A byte order mark may be ignored (RFC 8259, section 8.1).
  const json = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
  return withProblems(() => parsePiece({ text: json, inWhole: (pointer) => pointer }, mayRound))
}

/** As `parseJson`, in steps of a few milliseconds, for a long body. */
export function* parseLongJson(bytes: Buffer, mayRound = false): Generator<void, Json> {
  checkUtf8(bytes)
  const parsing = parseLargeJson(bytes, MAX_DEPTH, (piece) => parsePiece(piece, mayRound))
  for (;;) {
    yield
    const { done, value } = withProblems(() => parsing.next())
    if (done === true) return value
  }
}

function parsePiece({ text, inWhole }: JsonPiece, mayRound: boolean): Json {
  const scanned = scanJson(text)
  if (scanned.tooDeep) throw new TooDeep()
  const value = JSON.parse(text) as Json
  const mistakes = mistakesInText(text, value, scanned, mayRound)
  if (mistakes.length > 0)
    throw invalidFields(mistakes.map(({ path, message }) => ({ path: BODY + inWhole(path), message })))
  return value
}

/** Calls `parse` and turns its errors into problems. */
function withProblems<T>(parse: () => T): T {
  try {
    return parse()
  } catch (error) {
    if (error instanceof TooDeep)
      throw invalidFields([{ path: BODY, message: `must be at most ${MAX_DEPTH} levels deep` }])
    if (error instanceof RepeatedMember)
      throw invalidFields([{ path: BODY + error.path, message: 'must be given only once' }])
    if (error instanceof SyntaxError) throw invalidJson(`The body cannot be read as JSON: ${error.message}.`)
    throw error
  }
}

function checkUtf8(bytes: Buffer): void {
  if (!isUtf8(bytes)) throw invalidJson('The body must be UTF-8.')
}

function invalidJson(detail: string): HttpFailure {
  return new HttpFailure('invalid_json', detail, {
    errors: [{ path: BODY, message: 'must be JSON in UTF-8' }],
  })
}
