import type { ServerResponse } from 'node:http'
import type { Request } from 'express'
import type { Answer } from '../pipeline/exchange.js'
import { idOf } from '../pipeline/request-id.js'
import { HttpFailure } from '../problems/problems.js'
import { respondProblem } from './respond.js'

/**
 * Gives up an answer when the service stops: with 503 if nothing has been sent. An answer that has started
 * ends early, and the access log says why.
 */
export function abandon(res: ServerResponse): void {
  // A boundary: Express adds `locals`, but may not have seen the request yet.
  const answer = res as Answer
  if ((res as Partial<Answer>).locals === undefined) Object.assign(res, { locals: {} })
  answer.locals.requestId ??= idOf(res.req)
  const failure = new HttpFailure('not_ready', 'The service is stopping and cannot finish this. Try again.')
  if (res.headersSent) Object.assign(answer.locals, { error: failure, cutShort: true })
  else respondProblem(res.req as Request, answer, failure)
}
