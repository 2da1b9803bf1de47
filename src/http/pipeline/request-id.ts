import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Identified, Step } from './exchange.js'

const ACCEPTED = /^[A-Za-z0-9._-]{1,128}$/

/** Gives every request an id. See also send.ts. */
export function requestId(): Step<object, Identified> {
  return (req, res, next) => {
    res.locals.requestId = idOf(req)
    next()
  }
}

/** The `X-Request-Id` of a request if that is safe to log, else a new one. */
export function idOf({ headers }: IncomingMessage): string {
  const sent = headers['x-request-id']
  return typeof sent === 'string' && ACCEPTED.test(sent) ? sent : randomUUID()
}
