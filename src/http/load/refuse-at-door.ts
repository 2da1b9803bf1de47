import type { IncomingMessage } from 'node:http'
import type { Request } from 'express'
import type { Logger } from 'pino'
import type { Metrics } from '../pages/metrics.js'
import type { Answer, Identified, Step } from '../pipeline/exchange.js'
import { pathOf } from '../pipeline/target.js'
import { PROBLEMS } from '../problems/problems.js'
import { respondProblem } from '../response/respond.js'
import type { Refuse } from './admission.js'
import { Tally } from './tally.js'

const LOG_EVERY_MS = 1_000

/**
 * Refuses a request before it reaches Express, running only the first two steps (request id and CORS).
 * Refusals are logged once a second with their number: a log line for each would cost more than the refusal.
 */
export function refuseAtDoor(
  metrics: Metrics,
  log: Logger,
  identify: Step<object, Identified>,
  crossOrigin: Step,
): Refuse {
  const unlogged = new Tally()
  return (req, res, failure) => {
    const { code } = failure
    if (unlogged.of(code) === 0)
      setTimeout(() => {
        const refused = unlogged.of(code)
        log.warn({ refused, code }, 'Requests were refused at the door.')
        unlogged.add(code, -refused)
      }, LOG_EVERY_MS).unref()
    unlogged.add(code, 1)
    const { status } = PROBLEMS[code]
    metrics.observe({ route: 'none', isOperation: false, status, seconds: 0, code })
    // A boundary: Express has not extended these objects, but the steps below use nothing of it but `locals`.
    const request = req as Request
    const answer = Object.assign(res, { locals: {} }) as unknown as Answer
    identify(request, answer, noNext)
    crossOrigin(request, answer, noNext)
    respondProblem(request, answer, failure)
  }
}

/** Both steps are synchronous, so that nothing has to wait for `next`. */
function noNext(): void {}

/** Paths that are served even under overload: operators need them most then. */
const MONITORING_PATHS = new Set(['/livez', '/readyz', '/metrics'])

export function isMonitoring({ url = '' }: IncomingMessage): boolean {
  return MONITORING_PATHS.has(pathOf(url))
}
