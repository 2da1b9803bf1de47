import type { Request } from 'express'
import type { Authorised, Encoding, Parsed, Step } from '../pipeline/exchange.js'
import { HttpFailure } from '../problems/problems.js'

const ENCODINGS: Encoding[] = ['br', 'gzip', 'identity']

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

/** The encoding that `Accept-Encoding` prefers. Throws 406 when it allows none. */
export function chooseEncoding(req: Request): Encoding {
  if (req.headers['accept-encoding'] === undefined) return 'identity'
  const chosen = req.acceptsEncodings(ENCODINGS)
  if (chosen === false)
    throw new HttpFailure('not_acceptable', `Accept-Encoding must allow one of ${ENCODINGS.join(', ')}.`)
  // A boundary: one of those offered.
  return chosen as Encoding
}
