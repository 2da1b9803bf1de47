import type { Authorised, Parsed, Step } from '../pipeline/exchange.js'
import { HttpFailure } from '../problems/problems.js'
import { chooseEncoding } from '../response/compress.js'

/** Chooses the encoding of the answer. Throws 406 if the client accepts none, before anything is done. */
export function negotiate(): Step<Authorised, Pick<Parsed, 'encoding'>> {
  return (req, res, next) => {
    const { produces } = res.locals.operation
    if (req.headers.accept !== undefined && produces.length > 0 && req.accepts([...produces]) === false)
      throw new HttpFailure('not_acceptable', `The answer is ${produces.join(' or ')}: Accept must allow it.`)
    res.locals.encoding = chooseEncoding(req)
    next()
  }
}
