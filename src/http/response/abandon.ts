import type { ServerResponse } from 'node:http'
import type { Request } from 'express'
import type { Answer, Identified, Step } from '../pipeline/exchange.js'
import { HttpFailure } from '../problems/problems.js'
import { respondProblem } from './respond.js'

/**
 * Gives up an answer because the service stops: 503 where nothing was sent yet; what was begun is cut short, and the log
 * says why.
 */
export function abandon(identify: Step<object, Identified>): (res: ServerResponse) => void {
  return (res) => {
    // A boundary: express adds the locals, but may not have seen the request yet. Identifying is synchronous.
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
