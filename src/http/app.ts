import express from 'express'
import type { Logger } from 'pino'
import type { MetricsReaders } from '../config/serving.js'
import { checkHandlers } from '../contract/check-handlers.js'
import type { Contract, Operation } from '../contract/contract.js'
import type { Caller, Handlers, OperationId } from '../contract/operations.js'
import type { McpEndpoint } from '../mcp/exchange.js'
import { HOOK_OPERATION, hooks } from './hooks.js'
import { innerFetch } from './inner-fetch.js'
import { ADMISSION_LIMITS, type AdmissionLimits, admission } from './load/admission.js'
import { BodyBytes, type BodyLimits } from './load/body-bytes.js'
import { laneOf } from './load/lanes.js'
import { Loop } from './load/loop.js'
import { NO_LIMITS, type RateLimits } from './load/rate-limits.js'
import { isMonitoring, refuseEarly } from './load/refuse-early.js'
import { RequestSlots } from './load/slots.js'
import type { ReadFiles } from './pages/file-cache.js'
import { createMetrics, type Metrics } from './pages/metrics.js'
import { pages, type Unready } from './pages/pages.js'
import type { Answer, Checked, Received, Routed, Step } from './pipeline/exchange.js'
import { requestId } from './pipeline/request-id.js'
import { StepList } from './pipeline/step-list.js'
import { cors, corsOf } from './response/cors.js'
import { type AnyReply, abandon, respond, respondProblem } from './response/respond.js'
import { type Endpoint, notFound, routed, routeOperations } from './response/router.js'
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

const UNDER_WAY = 'Requests that wait or are being answered, except those that wait for their client.'

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
  const toolApp = expressOf(identified.add(requestHead()), [operations(NO_LIMITS)], contract)
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
            fetch: innerFetch(toolApp),
          }),
        ]),
  ]
  const steps = identified.add(cors(originOf)).add(allowedHost(parts.allowedHosts)).add(requestHead())
  const app = expressOf(steps, routers, contract)
  const listener = admission(
    app,
    refuseEarly(metrics, log, originOf),
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
  app.use(...steps.middleware, ...routers, ...new StepList<Received>().add(notFound(operations)).middleware)
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

type AnyHandler = (input: Checked['input'], caller: Caller) => Promise<AnyReply>

/** Calls the handler of the operation when it is the turn of the caller's key, and sends its reply. */
function dispatch(handlers: Handlers, loop: Loop): Step<Checked> {
  return (req, res) => {
    const { operation, input, caller } = res.locals
    // A boundary: the validator guarantees that the request has the types of the operation.
    const handler = handlers[operation.id as OperationId] as unknown as AnyHandler
    const key = caller.principal.keyId
    return loop[queueOf(operation, input)](key, () => handler(input, caller)).then((reply) =>
      respond(req, res, reply, (make) => loop.piece(key, make)),
    )
  }
}

/** The queue for a request of the operation; see `Loop`. */
function queueOf({ method, scope }: Checked['operation'], input: Checked['input']): 'read' | 'erase' | 'run' {
  if (scope === 'read' || isDryRun(input)) return 'read'
  return method === 'DELETE' && scope === 'write' ? 'erase' : 'run'
}

/** A dry run changes nothing, so that it is queued as a read. */
function isDryRun({ query, body }: Checked['input']): boolean {
  return [query, body].some(
    (part) => typeof part === 'object' && part !== null && 'dry_run' in part && part.dry_run === true,
  )
}
