import type { IncomingMessage, RequestListener } from 'node:http'
import type { Request } from 'express'
import type { Logger } from 'pino'
import type { Metrics } from '../pages/metrics.js'
import type { Answer, Step } from '../pipeline/exchange.js'
import { pipeline } from '../pipeline/pipeline.js'
import { pathOf } from '../pipeline/target.js'
import { HttpFailure } from '../problems/problems.js'
import { respondProblem } from '../response/respond.js'

const SAY_EVERY_MS = 1_000
const SOON = { headers: { 'Retry-After': '1' } }

/**
 * Refuses a request for want of time, by the same rungs as any other answer but without express. Such refusals are
 * counted one by one and logged once a second: a line for each would cost more than the refusal.
 */
export function refuseOverload(metrics: Metrics, log: Logger, ...rungs: readonly Step[]): RequestListener {
  let since = 0
  const say = () => {
    log.warn({ refused: since }, 'Requests were refused: there was more to do than could be done.')
    since = 0
  }
  const climb = pipeline(...rungs, () => {
    throw new HttpFailure(
      'overloaded',
      'There is more to do than can be done now. Try again in a second.',
      SOON,
    )
  })
  return (req, res) => {
    if (since++ === 0) setTimeout(say, SAY_EVERY_MS).unref()
    metrics.observe({ route: 'none', isOperation: false, status: 503, seconds: 0, code: 'overloaded' })
    // A boundary: express would have added these, but nothing on this short way asks for more than the locals.
    const request = req as Request
    const answer = Object.assign(res, { locals: {} }) as unknown as Answer
    climb(request, answer, (error: unknown) => respondProblem(request, answer, error))
  }
}

/** Whoever watches the service must hear from it above all when it is busy. */
const WATCHED = new Set(['/livez', '/readyz', '/metrics'])

export function isWatched({ url = '' }: IncomingMessage): boolean {
  return WATCHED.has(pathOf(url))
}
