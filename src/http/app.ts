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
import { NO_LIMITS, type RateLimits } from './load/rate-limits.js'
import { isMonitoring, refuseAtDoor } from './load/refuse-at-door.js'
import { RequestSlots } from './load/slots.js'
import type { ReadFiles } from './pages/file-cache.js'
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
  /** Created from the contract if absent. That takes long, so that servers of one process may share it. */
  readonly validator?: Awaited<ReturnType<typeof createValidator>>
  readonly authenticator: Authenticator
  readonly log: Logger
  /** Reads the built documentation; none is served if absent. */
  readonly docs?: ReadFiles | undefined
  /** Reads the built explorer; none is served if absent. */
  readonly explorer?: ReadFiles | undefined
  readonly unready: Unready
  /** A new registry if absent. */
  readonly metrics?: Metrics
  readonly metricsReaders?: MetricsReaders
  /** No rate limits if absent. */
  readonly limits?: RateLimits
  /** Origins whose pages may call the service from a browser; none if absent. */
  readonly corsOrigins?: readonly string[]
  /** Host names to accept besides those of loopback; all are accepted if absent. */
  readonly allowedHosts?: readonly string[] | undefined
  readonly admissionLimits?: AdmissionLimits
  readonly bodyLimits?: BodyLimits
  /** Answers MCP messages; MCP is not served if absent. */
  readonly mcp?: McpEndpoint
  /** Shared with the store, which waits for turns in it. */
  readonly loop?: Loop
}

const UNDER_WAY = 'Requests that wait or are being answered, but for those that wait for their client.'

/**
 * Assembles the steps of a request, in their order. Resolves when the validators of all routes are compiled;
 * rejects when the handlers or the validators do not cover the contract. A graph that the key may not access
 * is refused by `auth` if the path names it, and by `reach` if the body does.
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
  const slots = new RequestSlots(admissionLimits.underWay)
  const bodies = new BodyBytes(parts.bodyLimits)
  /** The first steps of a request from an MCP tool, without admission: its MCP message has passed that. */
  const toolSteps = new StepList().add(identify).add(accessLog(log, metrics)).add(requestHead()).middleware
  const operations = (rateLimits: RateLimits) =>
    new StepList<Received>()
      .add(router([...contract.operations, HOOK_OPERATION]))
      .add(auth(authenticator, rateLimits, slots))
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
        endpoint: parts.mcp,
        document: contract.document,
        authenticator,
        limits,
        slots,
        loop,
        bodies,
        corsOrigins,
        log,
        fetch: innerFetch(expressOf([...toolSteps, ...operations(NO_LIMITS)])),
      }),
    )
  const app = expressOf([...steps.middleware, ...operations(limits)])
  const refuse = refuseAtDoor(metrics, log, identify, crossOrigin)
  const listener = admission(app, refuse, isMonitoring, admissionLimits, slots, loop, (req) =>
    laneOf(req, authenticator.knownKey),
  )
  metrics.gauge('loregraph_http_requests_under_way', UNDER_WAY, () => slots.used)
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
    // `abandon` has answered it.
    if (res.locals.error !== undefined) return
    // The headers have been sent: closing the connection tells the client that the answer is incomplete.
    res.locals.error = error
    res.locals.cutShort = true
    res.destroy()
  })
  return app
}
