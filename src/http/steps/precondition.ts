import type { Parsed, Step } from '../pipeline/exchange.js'
import { HttpFailure } from '../problems/problems.js'

/**
 * Throws 412 for an erasure with an `If-Match` other than `*`. Our tags are weak and `If-Match` uses the
 * strong comparison (RFC 9110, section 13.1.1), so that no tag can match. Ignoring the header could erase
 * data that has changed.
 */
export function precondition(): Step<Parsed> {
  return (req, _res, next) => {
    const wanted = req.headers['if-match']
    if (req.method === 'DELETE' && wanted !== undefined && wanted.trim() !== '*')
      throw new HttpFailure(
        'precondition_failed',
        'Tags here are weak and match no If-Match, so nothing was done. Send "If-Match: *", or none.',
      )
    next()
  }
}
