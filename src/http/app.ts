import express from 'express'
import type { Logger } from 'pino'
import type { MetricsReaders } from '../config/serving.js'
import { checkHandlers } from '../contract/check-handlers.js'
import type { Contract, Operation } from '../contract/contract.js'
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
import type { Answer, Received, Routed } from './pipeline/exchange.js'
import { requestId } from './pipeline/request-id.js'
import { StepList } from './pipeline/step-list.js'
import { abandon } from './response/abandon.js'
import { cors, corsOf } from './response/cors.js'
import { respondProblem } from './response/respond.js'
import { type Endpoint, nothingThere, routed, routeOperations } from './response/router.js'
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
  const { admissionLimits = ADMISSION_LIMITS, corsOrigins = [] } = parts
  const originOf = corsOf(corsOrigins)
  const slots = new RequestSlots(admissionLimits.underWay)
  const bodies = new BodyBytes(parts.bodyLimits)
  const operations = (rateLimits: RateLimits) => {
    const parsed = new StepList<Routed>()
      .add(auth(authenticator, rateLimits, slots))
      .add(query())
      .add(negotiate())
      .add(body(loop, bodies))
    const hook = parsed.add(hooks(contract, handlers, loop))
    const answered = parsed.add(validator).add(reach()).add(precondition()).add(dispatch(handlers, loop))
    const endpoint = (operation: Operation, steps: StepList): Endpoint => [
      operation,
      [...new StepList<Received>().add(routed(operation)).middleware, ...steps.middleware],
    ]
    return routeOperations([
      ...contract.operations.map((operation) => endpoint(operation, answered)),
      endpoint(HOOK_OPERATION, hook),
    ])
  }
  const identified = new StepList().add(requestId()).add(accessLog(log, metrics))
  /** Without admission: the MCP message that a request of a tool answers has passed it. */
  const ofTools = expressOf(identified.add(requestHead()), [operations(NO_LIMITS)], contract)
  const { mcp: mcpServer } = parts
  const routers = [
    operations(limits),
    pages({ contract, docs, explorer, unready, metrics, metricsReaders }),
    ...(mcpServer === undefined
      ? []
      : [
          mcp({
            endpoint: mcpServer,
            document: contract.document,
            authenticator,
            limits,
            slots,
            loop,
            bodies,
            corsOrigins,
            log,
            fetch: innerFetch(ofTools),
          }),
        ]),
  ]
  const steps = identified.add(cors(originOf)).add(allowedHost(parts.allowedHosts)).add(requestHead())
  const app = expressOf(steps, routers, contract)
  const listener = admission(
    app,
    refuseAtDoor(metrics, log, originOf),
    isMonitoring,
    admissionLimits,
    slots,
    loop,
    (req) => laneOf(req, authenticator.knownKey),
  )
  metrics.gauge('loregraph_http_requests_under_way', UNDER_WAY, () => slots.used)
  metrics.gauge('loregraph_http_requests_waiting', 'Requests that wait for their turn.', () => loop.waiting)
  return { listener, abandon }
}

const notBuilt: ReadFiles = async () => undefined

function expressOf(
  steps: StepList<Received>,
  routers: readonly express.Router[],
  { operations }: Contract,
): express.Express {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.set('query parser', false)
  app.use(
    ...steps.middleware,
    ...routers,
    ...new StepList<Received>().add(nothingThere(operations)).middleware,
  )
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
