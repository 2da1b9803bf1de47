import express from 'express'
import type { Logger } from 'pino'
import type { MetricsReaders } from '../config/serving.js'
import { checkHandlers } from '../contract/check-handlers.js'
import type { Contract } from '../contract/contract.js'
import type { Handlers } from '../contract/operations.js'
import type { McpEndpoint } from '../mcp/exchange.js'
import { dispatch } from './dispatch.js'
import { HOOK_OPERATION, hooks } from './hooks.js'
import { innerFetch } from './inner-fetch.js'
import { ADMISSION_LIMITS, type AdmissionLimits, admission } from './load/admission.js'
import { BodyBytes, type BodyLimits } from './load/body-bytes.js'
import { laneOf } from './load/lanes.js'
import { Loop } from './load/loop.js'
import { Places } from './load/places.js'
import { NO_LIMITS, type RateLimits } from './load/rate-limits.js'
import { isWatched, refuseAtDoor } from './load/refuse-at-door.js'
import type { ReadFiles } from './pages/kept-files.js'
import { createMetrics, type Metrics } from './pages/metrics.js'
import { pages, type Unready } from './pages/pages.js'
import type { Answer, Received } from './pipeline/exchange.js'
import { StepList } from './pipeline/step-list.js'
import { abandon } from './response/abandon.js'
import { cors } from './response/cors.js'
import { respondProblem } from './response/respond.js'
import type { App } from './server.js'
import { accessLog } from './steps/access-log.js'
import { allowedHost } from './steps/allowed-host.js'
import { type Authenticator, auth, reach } from './steps/auth.js'
import { body } from './steps/body.js'
import { mcp } from './steps/mcp.js'
import { negotiate } from './steps/negotiate.js'
import { precondition } from './steps/precondition.js'
import { query } from './steps/query.js'
import { requestHead } from './steps/request-head.js'
import { requestId } from './steps/request-id.js'
import { router } from './steps/router.js'
import { createValidator } from './validation/validator.js'

interface AppParts {
  readonly contract: Contract
  readonly handlers: Handlers
  /** Made from the contract if absent. Making it is most of a start; servers of one process may share it. */
  readonly validator?: Awaited<ReturnType<typeof createValidator>>
  readonly authenticator: Authenticator
  readonly log: Logger
  /** Gives the built documentation when it is first asked for; there is none if absent. */
  readonly docs?: ReadFiles | undefined
  /** The same for the explorer. */
  readonly explorer?: ReadFiles | undefined
  readonly unready: Unready
  /** Where to count; a place of its own if absent. */
  readonly metrics?: Metrics
  readonly metricsReaders?: MetricsReaders
  /** None if absent. */
  readonly limits?: RateLimits
  /** Origins whose pages may call the service from a browser; none if absent. */
  readonly corsOrigins?: readonly string[]
  /** Host names that requests may be for, besides those of loopback; any if absent. */
  readonly allowedHosts?: readonly string[] | undefined
  readonly admissionLimits?: AdmissionLimits
  readonly bodyLimits?: BodyLimits
  /** Answers messages of MCP; they are not served if absent. */
  readonly mcp?: McpEndpoint
  /** Shared with the store, whose work has its turn like that of others. */
  readonly loop?: Loop
}

const UNDER_WAY = 'Requests that wait or are being answered, but for those that wait for their client.'

/**
 * The life of a request, step by step. Resolves when every route is warm; rejects rather than serve half a contract. A
 * graph that the secret does not reach is refused by `auth` when the path names it, by `reach` when the body does.
 */
export async function createApp(parts: AppParts): Promise<App> {
  const { contract, handlers, authenticator, log, unready, limits = NO_LIMITS } = parts
  const { metrics = createMetrics(), metricsReaders = 'local' } = parts
  const { docs = notBuilt, explorer = notBuilt, loop = new Loop() } = parts
  checkHandlers(contract, handlers)
  const validator = parts.validator ?? (await createValidator(contract))
  const identify = requestId()
  const { admissionLimits = ADMISSION_LIMITS, corsOrigins = [] } = parts
  const crossOrigin = cors(corsOrigins)
  const places = new Places(admissionLimits.underWay)
  const bodies = new BodyBytes(parts.bodyLimits)
  /** A request of the service to itself: it has its place and was counted already. */
  const within = new StepList().add(identify).add(accessLog(log, metrics)).add(requestHead()).middleware
  const operations = (own: RateLimits) =>
    new StepList<Received>()
      .add(router([...contract.operations, HOOK_OPERATION]))
      .add(auth(authenticator, own, places))
      .add(query())
      .add(negotiate())
      .add(body(loop, bodies))
      .add(hooks(contract, handlers, loop))
      .add(validator)
      .add(reach())
      .add(precondition())
      .add(dispatch(handlers, loop)).middleware
  const steps = new StepList()
    .add(identify)
    .add(accessLog(log, metrics))
    .add(crossOrigin)
    .add(allowedHost(parts.allowedHosts))
    .add(requestHead())
    .add(pages({ contract, docs, explorer, unready, metrics, metricsReaders }))
    .add(
      mcp({
        ...{ endpoint: parts.mcp, document: contract.document },
        ...{ authenticator, limits, places, loop, bodies, corsOrigins, log },
        fetch: innerFetch(expressOf([...within, ...operations(NO_LIMITS)])),
      }),
    )
  const app = expressOf([...steps.middleware, ...operations(limits)])
  const refuse = refuseAtDoor(metrics, log, identify, crossOrigin)
  const listener = admission(app, refuse, isWatched, admissionLimits, places, loop, (req) =>
    laneOf(req, authenticator.knownKey),
  )
  metrics.gauge('loregraph_http_requests_under_way', UNDER_WAY, () => places.taken)
  metrics.gauge('loregraph_http_requests_waiting', 'Requests that wait for their turn.', () => loop.waiting)
  return { listener, abandon: abandon(identify) }
}

const notBuilt: ReadFiles = async () => undefined

function expressOf(middleware: readonly express.RequestHandler[]): express.Express {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.set('query parser', false)
  app.use(...middleware)
  app.use((error: unknown, req: express.Request, res: Answer, _next: express.NextFunction) => {
    if (!res.headersSent) return respondProblem(req, res, error)
    // Abandoned: it has its answer.
    if (res.locals.error !== undefined) return
    // An answer under way cannot be taken back; its reader sees that it has no end.
    res.locals.error = error
    res.locals.cutShort = true
    res.destroy()
  })
  return app
}
