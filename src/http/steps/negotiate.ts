import type { Authorised, Parsed, Step } from '../pipeline/exchange.js'
import { HttpFailure } from '../problems/problems.js'
import { chooseEncoding, weightsOf } from '../response/encoding.js'

/** Chooses the encoding of the answer. Throws 406 if the client accepts none, before anything is done. */
export function negotiate(): Step<Authorised, Pick<Parsed, 'encoding'>> {
  return (req, res, next) => {
    const { accept, 'accept-encoding': encodings } = req.headers
    const { produces } = res.locals.operation
    if (accept !== undefined && produces.length > 0 && !produces.some((type) => accepts(accept, type)))
      throw new HttpFailure('not_acceptable', `The answer is ${produces.join(' or ')}: Accept must allow it.`)
    res.locals.encoding = chooseEncoding(encodings)
    next()
  }
}

/** Whether `Accept` allows a media type; the most specific matching range decides. */
function accepts(header: string, type: string): boolean {
  if (header === '*/*' || header === type) return true
  const weights = weightsOf(header)
  const weight = weights.get(type) ?? weights.get(`${type.split('/')[0]}/*`) ?? weights.get('*/*') ?? 0
  return weight > 0
}
