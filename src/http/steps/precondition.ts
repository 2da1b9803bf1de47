import type { Parsed, Step } from '../pipeline/exchange.js'
import { HttpFailure } from '../problems/problems.js'

/**
 * Throws 412 for an erasure with an `If-Match` other than `*`: ignoring it could erase data that has changed.
 * No tag can match, since ours are weak and `If-Match` compares strongly (RFC 9110, section 13.1.1).
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
