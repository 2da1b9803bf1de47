import type { ServerResponse } from 'node:http'
import type { Request } from 'express'
import type { Answer, Identified, Step } from '../pipeline/exchange.js'
import { HttpFailure } from '../problems/problems.js'
import { respondProblem } from './respond.js'

/**
 * Gives up an answer when the service stops: with 503 if nothing has been sent. An answer that has started
 * ends early, and the access log says why.
 */
export function abandon(identify: Step<object, Identified>): (res: ServerResponse) => void {
  return (res) => {
    // A boundary: Express adds `locals`, but may not have seen the request yet. `identify` is synchronous.
    const answer = res as Answer
    if ((res as Partial<Answer>).locals === undefined) Object.assign(res, { locals: {} })
    const request = res.req as Request
    if (answer.locals.requestId === undefined) identify(request, answer, () => {})
    const failure = new HttpFailure('not_ready', 'The service is stopping and cannot finish this. Try again.')
    if (!res.headersSent) return respondProblem(request, answer, failure)
    answer.locals.error = failure
    answer.locals.cutShort = true
  }
}
