import type { Request } from 'express'
import type { Encoding } from '../pipeline/exchange.js'
import { HttpFailure } from '../problems/problems.js'

const ENCODINGS: Encoding[] = ['br', 'gzip', 'identity']

/** The encoding that `Accept-Encoding` prefers. Throws 406 when it allows none. */
export function chooseEncoding(req: Request): Encoding {
  if (req.headers['accept-encoding'] === undefined) return 'identity'
  const chosen = req.acceptsEncodings(ENCODINGS)
  if (chosen === false)
    throw new HttpFailure('not_acceptable', `Accept-Encoding must allow one of ${ENCODINGS.join(', ')}.`)
  // A boundary: one of those offered.
  return chosen as Encoding
}
