import type { IncomingMessage, RequestListener } from 'node:http'
import type { Request } from 'express'
import type { Logger } from 'pino'
import type { Metrics } from '../pages/metrics.js'
import type { Answer, Identified, Step } from '../pipeline/exchange.js'
import { pathOf } from '../pipeline/target.js'
import { respondProblem } from '../response/respond.js'
import { overloaded } from './refusals.js'

const LOG_EVERY_MS = 1_000

/**
 * Refuses a request with 503, by the first two steps of any other request but without express. Such refusals are counted
 * one by one and logged once a second: a line for each would cost more than the refusal.
 */
export function refuseOverload(
  metrics: Metrics,
  log: Logger,
  identify: Step<object, Identified>,
  crossOrigin: Step,
): RequestListener {
  let since = 0
  const say = () => {
    log.warn({ refused: since }, 'Requests were refused: the service was overloaded.')
    since = 0
  }
  return (req, res) => {
    if (since++ === 0) setTimeout(say, LOG_EVERY_MS).unref()
    metrics.observe({ route: 'none', isOperation: false, status: 503, seconds: 0, code: 'overloaded' })
    // A boundary: express would have added these, but nothing on this short way asks for more than the locals.
    const request = req as Request
    const answer = Object.assign(res, { locals: {} }) as unknown as Answer
    identify(request, answer, goOn)
    crossOrigin(request, answer, goOn)
    respondProblem(request, answer, overloaded())
  }
}

/** The steps are synchronous. */
function goOn(): void {}

/** Probes and metrics matter most when the service is busy. */
const WATCHED = new Set(['/livez', '/readyz', '/metrics'])

export function isWatched({ url = '' }: IncomingMessage): boolean {
  return WATCHED.has(pathOf(url))
}
