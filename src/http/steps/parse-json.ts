import { isUtf8 } from 'node:buffer'
import { mistakesIn } from '../../domain/events/json-mistakes.js'
import type { Json } from '../../domain/model.js'
import { HttpFailure, invalidFields } from '../problems/problems.js'

export const MAX_DEPTH = 64

/**
 * Parses a body, refusing what JSON allows and the rest of the service should never see: nesting that would exhaust
 * the stack, NUL characters, lone surrogates, and numbers too large for a double (they would become `null`).
 */
export function parseJson(bytes: Buffer): Json {
  if (!isUtf8(bytes)) throw invalidJson('The body must be UTF-8.')
  const { tooDeep, suspicious } = scan(bytes)
  if (tooDeep) throw invalidFields([{ path: '/body', message: `must be at most ${MAX_DEPTH} levels deep` }])
  const value = parseText(bytes.toString('utf8'))
  if (suspicious) {
    const errors = mistakesIn(value, '/body')
    if (errors.length > 0) throw invalidFields(errors)
  }
  return value
}

function parseText(text: string): Json {
  try {
    // A byte order mark is no part of the text (RFC 8259, section 8.1).
    return JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text)
  } catch (error) {
    throw invalidJson(`The body cannot be read as JSON: ${error instanceof Error ? error.message : ''}.`)
  }
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const LOWER_D = 0x64
const LOWER_E = 0x65
const LOWER_U = 0x75
const ZERO = 0x30
const NINE = 0x39
const LONGEST_SAFE_NUMBER = 300

/**
 * One pass over the bytes, without recursion: how deep it goes, and whether anything in it calls for a closer look
 * (an escape that may stand for NUL or half a surrogate pair; a number with an exponent or very many digits).
 */
function scan(bytes: Buffer): { tooDeep: boolean; suspicious: boolean } {
  let depth = 0
  let digits = 0
  let suspicious = false
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] ?? 0
    if (byte === QUOTE) {
      for (i++; i < bytes.length && bytes[i] !== QUOTE; i++) {
        if (bytes[i] !== BACKSLASH) continue
        i++
        if (bytes[i] === LOWER_U && (bytes[i + 1] === ZERO || ((bytes[i + 1] ?? 0) | 0x20) === LOWER_D))
          suspicious = true
      }
      digits = 0
    } else if (byte >= ZERO && byte <= NINE) {
      if (++digits > LONGEST_SAFE_NUMBER) suspicious = true
    } else {
      if ((byte | 0x20) === LOWER_E && digits > 0) suspicious = true
      digits = 0
      // [ and { are 0x5b and 0x7b, ] and } are 0x5d and 0x7d.
      if ((byte | 0x20) === 0x7b) {
        if (++depth > MAX_DEPTH) return { tooDeep: true, suspicious }
      } else if ((byte | 0x20) === 0x7d) depth--
    }
  }
  return { tooDeep: false, suspicious }
}

function invalidJson(detail: string): HttpFailure {
  return new HttpFailure('invalid_json', detail, {
    errors: [{ path: '/body', message: 'must be JSON in UTF-8' }],
  })
}
