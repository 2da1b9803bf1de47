import { isUtf8 } from 'node:buffer'
import { MAX_DEPTH, mistakesIn, scanJson } from '../../domain/events/json-mistakes.js'
import { repeatedMember } from '../../domain/events/repeated-member.js'
import type { Json } from '../../domain/model.js'
import { HttpFailure, invalidFields } from '../problems/problems.js'

/**
 * Parses a body, refusing what JSON allows and the rest of the service should never see: nesting that would exhaust
 * the stack, NUL characters, lone surrogates, numbers too large for a double (they would become `null`), and members that
 * are given twice (a proxy or a log may have read the other one).
 */
export function parseJson(bytes: Buffer): Json {
  if (!isUtf8(bytes)) throw invalidJson('The body must be UTF-8.')
  const text = bytes.toString('utf8')
  const { tooDeep, suspicious, members } = scanJson(text)
  if (tooDeep) throw invalidFields([{ path: '/body', message: `must be at most ${MAX_DEPTH} levels deep` }])
  const value = parseText(text)
  if (suspicious) {
    const errors = mistakesIn(value, '/body')
    if (errors.length > 0) throw invalidFields(errors)
  }
  const repeated = repeatedMember(text, members, value)
  if (repeated !== undefined)
    throw invalidFields([{ path: `/body${repeated}`, message: 'must be given only once' }])
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

function invalidJson(detail: string): HttpFailure {
  return new HttpFailure('invalid_json', detail, {
    errors: [{ path: '/body', message: 'must be JSON in UTF-8' }],
  })
}
