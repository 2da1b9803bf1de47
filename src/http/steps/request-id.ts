import type { Identified, Step } from '../pipeline/exchange.js'
import { idOf } from '../pipeline/request-id.js'

/** Gives every request an id. See also send.ts. */
export function requestId(): Step<object, Identified> {
  return (req, res, next) => {
    res.locals.requestId = idOf(req)
    next()
  }
}
