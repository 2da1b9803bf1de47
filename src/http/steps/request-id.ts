import { randomUUID } from 'node:crypto'
import type { Identified, Step } from '../pipeline/exchange.js'

const ACCEPTED = /^[A-Za-z0-9._-]{1,128}$/

/** Gives every request an id: the caller's own if it can be trusted in a log, else a new one. The answer (send.ts) repeats it. */
export function requestId(): Step<object, Identified> {
  return (req, res, next) => {
    const sent = req.headers['x-request-id']
    res.locals.requestId = typeof sent === 'string' && ACCEPTED.test(sent) ? sent : randomUUID()
    next()
  }
}
