import { randomUUID } from 'node:crypto'
import type { Identified, Step } from '../pipeline/exchange.js'

const ACCEPTED = /^[A-Za-z0-9._-]{1,128}$/

/** Gives every request an id: its `X-Request-Id` if that is safe to log, else a new one. See also send.ts. */
export function requestId(): Step<object, Identified> {
  return (req, res, next) => {
    const sent = req.headers['x-request-id']
    res.locals.requestId = typeof sent === 'string' && ACCEPTED.test(sent) ? sent : randomUUID()
    next()
  }
}
