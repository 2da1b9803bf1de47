import { isUtf8 } from 'node:buffer'
import { changedNumbers } from '../../domain/events/changed-numbers.js'
import { MAX_DEPTH, mistakesIn, scanJson } from '../../domain/events/json-mistakes.js'
import { type JsonPiece, parseLargeJson, RepeatedMember, TooDeep } from '../../domain/events/large-json.js'
import { repeatedMember } from '../../domain/events/repeated-member.js'
import type { Json } from '../../domain/model.js'
import { HttpFailure, invalidFields } from '../problems/problems.js'

const BODY = '/body'

/**
 * Parses a body, refusing what JSON allows and the rest of the service should never see: nesting that would exhaust
 * the stack, NUL characters, lone surrogates, numbers that a double would change (see `changedNumbers`), and members that
 * are given twice (a proxy or a log may have read the other one).
 *
 * With `mayRound`, numbers may change: for what is read and not kept.
 */
export function parseJson(bytes: Buffer, mayRound = false): Json {
  refuseUnlessUtf8(bytes)
  const text = bytes.toString('utf8')
  // A byte order mark is no part of the text (RFC 8259, section 8.1).
  const bare = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
  return sayingWhatIsWrong(() => parsePiece({ text: bare, path: '', first: undefined, depth: 0 }, mayRound))
}

/** The same in steps of a few milliseconds, for a long one. */
export function* parseLongJson(bytes: Buffer, mayRound = false): Generator<void, Json> {
  refuseUnlessUtf8(bytes)
  const parsing = parseLargeJson(bytes, MAX_DEPTH, (piece) => parsePiece(piece, mayRound))
  for (;;) {
    yield
    const { done, value } = sayingWhatIsWrong(() => parsing.next())
    if (done === true) return value
  }
}

function parsePiece({ text, path, first, depth }: JsonPiece, mayRound: boolean): Json {
  const { tooDeep, suspicious, longNumbers, members } = scanJson(text, depth)
  if (tooDeep) throw new TooDeep()
  const value = JSON.parse(text) as Json
  /** Where something in the piece is in the whole. */
  const placed = (pointer: string) =>
    path + (first === undefined ? pointer : pointer.replace(/\d+/, (index) => String(first + Number(index))))
  const errors = [
    ...(suspicious ? mistakesIn(value, '') : []),
    ...(longNumbers && !mayRound ? changedNumbers(text) : []),
  ]
  if (errors.length > 0)
    throw invalidFields(
      errors.slice(0, MOST_ERRORS).map(({ path, message }) => ({ path: BODY + placed(path), message })),
    )
  const repeated = repeatedMember(text, members, value)
  if (repeated !== undefined) throw new RepeatedMember(placed(repeated))
  return value
}

const MOST_ERRORS = 20

function sayingWhatIsWrong<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof TooDeep)
      throw invalidFields([{ path: BODY, message: `must be at most ${MAX_DEPTH} levels deep` }])
    if (error instanceof RepeatedMember)
      throw invalidFields([{ path: BODY + error.path, message: 'must be given only once' }])
    if (error instanceof SyntaxError) throw invalidJson(`The body cannot be read as JSON: ${error.message}.`)
    throw error
  }
}

function refuseUnlessUtf8(bytes: Buffer): void {
  if (!isUtf8(bytes)) throw invalidJson('The body must be UTF-8.')
}

function invalidJson(detail: string): HttpFailure {
  return new HttpFailure('invalid_json', detail, {
    errors: [{ path: BODY, message: 'must be JSON in UTF-8' }],
  })
}
