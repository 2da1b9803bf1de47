import express, { type Express } from 'express'
import type { Logger } from 'pino'
import { accessLog } from './access-log.js'
import { type Authenticate, auth, reach } from './auth.js'
import { body } from './body.js'
import { checkHandlers } from './boot.js'
import type { Contract } from './contract.js'
import { dispatch } from './dispatch.js'
import type { Answer } from './exchange.js'
import { guard } from './guard.js'
import { ladder } from './ladder.js'
import { negotiate } from './negotiate.js'
import type { Handlers } from './operations.js'
import { pages, type Unready } from './pages.js'
import { query } from './query.js'
import { requestId } from './request-id.js'
import { respondProblem } from './respond.js'
import { router } from './router.js'
import { createValidator } from './validator.js'

export interface AppParts {
  readonly contract: Contract
  readonly handlers: Handlers
  readonly authenticate: Authenticate
  readonly log: Logger
  /** The built documentation page, if it has been built. */
  readonly docs?: string | undefined
  readonly unready: Unready
}

/** The life of a request, rung by rung. Resolves when every route is warm; rejects rather than serve half a contract. */
export async function createApp(parts: AppParts): Promise<Express> {
  const { contract, handlers, authenticate, log, docs, unready } = parts
  checkHandlers(contract, handlers)
  const validator = await createValidator(contract)
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.set('query parser', false)
  app.use(
    ladder(
      requestId(),
      accessLog(log),
      guard(),
      pages(contract, docs, unready),
      router(contract.operations),
      auth(authenticate),
      query(),
      negotiate(),
      body(),
      validator,
      reach(),
      dispatch(handlers),
    ),
  )
  app.use((error: unknown, req: express.Request, res: Answer, _next: express.NextFunction) => {
    if (!res.headersSent) return respondProblem(req, res, error)
    // An answer under way cannot be taken back; whoever reads it sees that it has no end.
    res.locals.error = error
    res.locals.cutShort = true
    res.destroy()
  })
  return app
}
