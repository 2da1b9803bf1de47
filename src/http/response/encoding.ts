import type { Encoding } from '../pipeline/exchange.js'
import { HttpFailure } from '../problems/problems.js'

const ENCODINGS: readonly Encoding[] = ['br', 'gzip', 'identity']
/** `identity` is allowed unless refused (RFC 9110, section 12.5.3), with the lowest weight there is. */
const IMPLICIT_IDENTITY = 0.001

/** The encoding with the highest weight in `Accept-Encoding`. Throws 406 when the header allows none. */
export function chooseEncoding(header: string | undefined): Encoding {
  if (header === undefined) return 'identity'
  const weights = weightsOf(header)
  const weightOf = (encoding: Encoding) =>
    weights.get(encoding) ??
    (encoding === 'identity' && weights.get('*') !== 0 ? IMPLICIT_IDENTITY : (weights.get('*') ?? 0))
  const best = ENCODINGS.reduce((a, b) => (weightOf(b) > weightOf(a) ? b : a))
  if (weightOf(best) > 0) return best
  throw new HttpFailure('not_acceptable', `Accept-Encoding must allow one of ${ENCODINGS.join(', ')}.`)
}

const WEIGHT = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/

/** Parses `gzip;q=0.5, br` to gzip → 0.5, br → 1. */
export function weightsOf(header: string): Map<string, number> {
  const weights = new Map<string, number>()
  for (const item of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = item.split(';').map((part) => part.trim())
    const weight = parameters
      .map((parameter) => WEIGHT.exec(parameter)?.[1])
      .find((found) => found !== undefined)
    if (name !== '') weights.set(name, weight === undefined ? 1 : Number(weight))
  }
  return weights
}
