import type { Logger } from 'pino'
import { Failure } from '../../domain/failure.js'
import type { Metrics } from '../pages/metrics.js'
import type { Authorised, Identified, Step } from '../pipeline/exchange.js'
import { HttpFailure } from '../problems/problems.js'

/** Counts and logs each finished request, but never its query, body or secret, which are confidential. */
export function accessLog(log: Logger, metrics: Metrics): Step<Identified & Partial<Authorised>> {
  return (req, res, next) => {
    const started = performance.now()
    res.on('close', () => {
      const { requestId: id, route = 'none', error, operation, cutShort, principal } = res.locals
      const ms = performance.now() - started
      const isExpected = error instanceof HttpFailure || error instanceof Failure
      const code = isExpected ? error.code : error === undefined ? undefined : 'internal_error'
      const status = res.statusCode
      metrics.observe({ route, isOperation: operation !== undefined, status, seconds: ms / 1000, code })
      const line = {
        id,
        method: req.method,
        route,
        status,
        ms: Math.round(ms * 100) / 100,
        ...(principal && { key: principal.keyId }),
        ...(isExpected ? { code } : undefined),
        ...(res.writableFinished ? undefined : { aborted: true }),
      }
      if (status < 500 && cutShort !== true) log.info(line)
      else log.error({ ...line, err: error instanceof Failure ? (error.cause ?? error) : error })
    })
    next()
  }
}
