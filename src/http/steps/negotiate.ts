import type { Authorised, Encoding, Parsed, Step } from '../pipeline/exchange.js'
import { HttpFailure } from '../problems/problems.js'

/** Chooses the form of the answer before anything is done: 406 when there is none that the caller accepts. */
export function negotiate(): Step<Authorised, Pick<Parsed, 'encoding'>> {
  return (req, res, next) => {
    const { accept, 'accept-encoding': encodings } = req.headers
    const { produces } = res.locals.operation
    if (accept !== undefined && produces.length > 0 && !produces.some((type) => accepts(accept, type)))
      throw new HttpFailure('not_acceptable', `The answer is ${produces.join(' or ')}: Accept must allow it.`)
    res.locals.encoding = encodings === undefined ? 'identity' : chooseEncoding(encodings)
    next()
  }
}

const ENCODINGS: readonly Encoding[] = ['br', 'gzip', 'identity']
/** `identity` is allowed unless it is refused (RFC 9110, section 12.5.3); the least weight lets any other go before it. */
const IDENTITY_UNNAMED = 0.001

function chooseEncoding(header: string): Encoding {
  const weights = weightsOf(header)
  const weightOf = (encoding: Encoding) =>
    weights.get(encoding) ??
    (encoding === 'identity' && weights.get('*') !== 0 ? IDENTITY_UNNAMED : (weights.get('*') ?? 0))
  const best = ENCODINGS.reduce((a, b) => (weightOf(b) > weightOf(a) ? b : a))
  if (weightOf(best) > 0) return best
  throw new HttpFailure('not_acceptable', `Accept-Encoding must allow one of ${ENCODINGS.join(', ')}.`)
}

/** Whether `Accept` allows a media type; the most specific range that fits decides. */
function accepts(header: string, type: string): boolean {
  if (header === '*/*' || header === type) return true
  const weights = weightsOf(header)
  const weight = weights.get(type) ?? weights.get(`${type.split('/')[0]}/*`) ?? weights.get('*/*') ?? 0
  return weight > 0
}

const WEIGHT = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/

/** `gzip;q=0.5, br` as gzip → 0.5, br → 1. */
function weightsOf(header: string): Map<string, number> {
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
