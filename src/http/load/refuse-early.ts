import type { IncomingMessage } from 'node:http'
import type { Request } from 'express'
import type { Logger } from 'pino'
import type { Metrics } from '../pages/metrics.js'
import type { Answer } from '../pipeline/exchange.js'
import { idOf } from '../pipeline/request-id.js'
import { pathOf } from '../pipeline/target.js'
import { PROBLEMS } from '../problems/problems.js'
import type { CorsOf } from '../response/cors.js'
import { respondProblem } from '../response/respond.js'
import type { Refuse } from './admission.js'
import { Tally } from './tally.js'

const LOG_EVERY_MS = 1_000

/**
 * Refuses a request before it reaches Express, with a request id and CORS headers as Express would have it.
 * Refusals are logged once a second with their number: a log line for each would cost more than the refusal.
 */
export function refuseEarly(metrics: Metrics, log: Logger, originOf: CorsOf): Refuse {
  const unlogged = new Tally()
  return (req, res, failure) => {
    const { code } = failure
    if (unlogged.of(code) === 0)
      setTimeout(() => {
        const refused = unlogged.of(code)
        log.warn({ refused, code }, 'Requests were refused on arrival.')
        unlogged.add(code, -refused)
      }, LOG_EVERY_MS).unref()
    unlogged.add(code, 1)
    const { status } = PROBLEMS[code]
    metrics.observe({ route: 'none', isOperation: false, status, seconds: 0, code })
    const found = originOf(req)
    const locals: Answer['locals'] = { requestId: idOf(req), ...(found !== undefined && { cors: found }) }
    // A boundary: Express has not extended these objects, but a problem uses nothing of it but `locals`.
    respondProblem(req as Request, Object.assign(res, { locals }) as unknown as Answer, failure)
  }
}

/** Paths that are served even under overload: operators need them most then. */
const MONITORING_PATHS = new Set(['/livez', '/readyz', '/metrics'])

export function isMonitoring({ url = '' }: IncomingMessage): boolean {
  return MONITORING_PATHS.has(pathOf(url))
}
