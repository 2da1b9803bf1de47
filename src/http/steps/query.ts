import type { FieldError } from '../../domain/failure.js'
import { pointerStep } from '../../domain/pointer.js'
import { quote } from '../../domain/quote.js'
import type { Authorised, Parsed, Step } from '../pipeline/exchange.js'
import { encodingMistake } from '../pipeline/target.js'
import { invalidFields } from '../problems/problems.js'

/** No more digits than an exact number has; the contract says how large each may be. */
const WHOLE_NUMBER = /^(0|[1-9]\d{0,15})$/
const LONGEST_NAME = 256

/**
 * Decodes the query once, strictly. The validator would take `1e1` or `Infinity` for a number and a bad `%` for text, and keep
 * only the last of repeated values. All mistakes are reported at once.
 */
export function query(): Step<Authorised, Pick<Parsed, 'query'>> {
  return (req, res, next) => {
    const { operation, path } = res.locals
    const known = operation.query
    const errors: FieldError[] = []
    const values: Record<string, string> = Object.create(null)
    for (const pair of req.url.slice(path.length + 1).split('&')) {
      if (pair === '') continue
      const equals = pair.indexOf('=')
      const name = decode(equals < 0 ? pair : pair.slice(0, equals))
      const value = decode(equals < 0 ? '' : pair.slice(equals + 1))
      const mistake = mistakeIn(name, value, known, values)
      if (mistake !== undefined) errors.push(errorAt(name, pair, mistake))
      else if (name !== undefined && value !== undefined) values[name] = value
    }
    if (errors.length > 0) throw invalidFields(errors)
    res.locals.query = values
    next()
  }
}

/** Quotes a name that cannot be decoded, or is too long for a JSON Pointer. */
function errorAt(name: string | undefined, pair: string, message: string): FieldError {
  if (name !== undefined && name.length <= LONGEST_NAME)
    return { path: `/query/${pointerStep(name)}`, message }
  return { path: '/query', message: `has the parameter ${quote(name ?? pair)}, which ${message}` }
}

function mistakeIn(
  name: string | undefined,
  value: string | undefined,
  known: Readonly<Record<string, string>>,
  values: Readonly<Record<string, string>>,
): string | undefined {
  if (name === undefined || value === undefined)
    return 'must be percent-encoded UTF-8 without a NUL character'
  if (!Object.hasOwn(known, name)) {
    const names = Object.keys(known).join(', ')
    return `is not a parameter here${names === '' ? '' : `; known are ${names}`}`
  }
  if (name in values) return 'must be given only once'
  if (value === '') return 'must not be empty; leave it out instead'
  if (known[name] === 'integer' && !WHOLE_NUMBER.test(value))
    return 'must be a whole number in decimal digits'
  if (known[name] === 'boolean' && value !== 'true' && value !== 'false') return 'must be true or false'
  return undefined
}

/** Decodes as forms encode, with `+` for a space; undefined when it is malformed. */
function decode(text: string): string | undefined {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text
  if (!spaced.includes('%')) return spaced
  return encodingMistake(spaced) === undefined ? decodeURIComponent(spaced) : undefined
}
