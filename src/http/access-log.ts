import type { Logger } from 'pino'
import { Failure } from '../domain/failure.js'
import type { Rung } from './exchange.js'
import { Refusal } from './problems.js'

/** One line a request, when it is over. Never the query, the body or the secret: only what the service itself named. */
export function accessLog(log: Logger): Rung {
  return (req, res, next) => {
    const started = performance.now()
    res.on('close', () => {
      const { requestId: id, route, error, cutShort } = res.locals
      const line = {
        id,
        method: req.method,
        route: route ?? 'none',
        status: res.statusCode,
        ms: Math.round((performance.now() - started) * 100) / 100,
        ...(error instanceof Refusal || error instanceof Failure ? { code: error.code } : undefined),
        ...(res.writableFinished ? undefined : { aborted: true }),
      }
      if (res.statusCode < 500 && cutShort !== true) log.info(line)
      else log.error({ ...line, err: error instanceof Failure ? (error.cause ?? error) : error })
    })
    next()
  }
}
