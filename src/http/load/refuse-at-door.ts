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
 * Refuses a request by the first two steps of any other but without express. Such refusals are counted one by one and
 * logged once a second: a line for each would cost more than the refusal.
 */
export function refuseAtDoor(
  metrics: Metrics,
  log: Logger,
  identify: Step<object, Identified>,
  crossOrigin: Step,
): Refuse {
  const since = new Tally()
  return (req, res, failure) => {
    const { code } = failure
    if (since.of(code) === 0)
      setTimeout(() => {
        const refused = since.of(code)
        log.warn({ refused, code }, 'Requests were refused at the door.')
        since.add(code, -refused)
      }, LOG_EVERY_MS).unref()
    since.add(code, 1)
    const { status } = PROBLEMS[code]
    metrics.observe({ route: 'none', isOperation: false, status, seconds: 0, code })
    // A boundary: express would have added these, but nothing on this short way asks for more than the locals.
    const request = req as Request
    const answer = Object.assign(res, { locals: {} }) as unknown as Answer
    identify(request, answer, goOn)
    crossOrigin(request, answer, goOn)
    respondProblem(request, answer, failure)
  }
}

/** The steps are synchronous. */
function goOn(): void {}

/** Probes and metrics matter most when the service is busy. */
const WATCHED = new Set(['/livez', '/readyz', '/metrics'])

export function isWatched({ url = '' }: IncomingMessage): boolean {
  return WATCHED.has(pathOf(url))
}
