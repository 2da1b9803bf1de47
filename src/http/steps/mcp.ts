import type { Request as HttpRequest, Router } from 'express'
import type { Logger } from 'pino'
import type { ContractDocument, Operation } from '../../contract/contract.js'
import type { Principal } from '../../contract/operations.js'
import type { Fetch, McpEndpoint } from '../../mcp/exchange.js'
import type { BodyBytes } from '../load/body-bytes.js'
import type { Loop } from '../load/loop.js'
import type { RateLimits } from '../load/rate-limits.js'
import type { RequestSlots } from '../load/slots.js'
import { MCP_PATHS } from '../pages/pages.js'
import type { Answer, Authorised, Parsed, Received, Routed, Step } from '../pipeline/exchange.js'
import { StepList } from '../pipeline/step-list.js'
import { HttpFailure, invalidFields } from '../problems/problems.js'
import { drain, onShutdown } from '../response/events.js'
import { type Endpoint, routed, routeOperations } from '../response/router.js'
import { begin, send } from '../response/send.js'
import { checkGraphId } from '../validation/graph-id.js'
import { type Authenticator, caller } from './auth.js'
import { body } from './body.js'
import { query } from './query.js'

/** Describes MCP messages to the steps that they share with operations. */
const MESSAGE = {
  method: 'POST',
  scope: 'read',
  produces: ['application/json', 'text/event-stream'],
  consumes: ['application/json'],
  maxBodyBytes: 1024 * 1024,
  query: { erase: 'boolean' },
  defaults: [],
} as const

interface McpParts {
  readonly endpoint: McpEndpoint
  readonly document: ContractDocument
  readonly authenticator: Authenticator
  readonly limits: RateLimits
  readonly slots: RequestSlots
  readonly loop: Loop
  readonly bodies: BodyBytes
  /**
   * Sends a request of a tool to this service, with no slot and quota of its own: the message was counted.
   */
  readonly fetch: Fetch
  readonly corsOrigins: readonly string[]
  readonly log: Logger
}

interface Sender {
  readonly secret: string
  /** Undefined where calls name one: the path has none, and the secret is not for exactly one. */
  readonly graphId: string | undefined
}

/**
 * Routes MCP messages. The caller is authenticated and counted here, once. Tools then send requests to this
 * service with the same secret, so that scopes, checks and problems are those of other requests.
 */
export function mcp({ document, corsOrigins, ...parts }: McpParts): Router {
  const { authenticator, limits, slots, loop, bodies } = parts
  const identify = caller(authenticator, limits, slots)
  const checkId = checkGraphId(document)
  const sender: Step<Routed, Pick<Authorised, 'principal' | 'stillHolds'> & Sender> = async (
    req,
    res,
    next,
  ) => {
    refuseOtherOrigins(req, corsOrigins)
    const { secret, ...identified } = await identify(req, res)
    const graphId = res.locals.pathParams['graph_id'] ?? onlyGraph(identified.principal)
    // Tools put the id into paths, where `..` would select another path.
    if (graphId !== undefined) checkId(graphId)
    Object.assign(res.locals, identified, { secret, graphId })
    next()
  }
  const endpoints = MCP_PATHS.map((path): Endpoint => {
    const operation: Operation = { ...MESSAGE, id: path, path }
    const steps = new StepList<Received>()
      .add(routed(operation))
      .add(sender)
      .add(query())
      .add(body(loop, bodies))
      .add(answerMessage(parts))
    return [operation, steps.middleware]
  })
  return routeOperations(endpoints)
}

function answerMessage({
  endpoint,
  fetch,
  log,
  slots,
}: Pick<McpParts, 'endpoint' | 'fetch' | 'log' | 'slots'>): Step<Omit<Parsed, 'encoding'> & Sender> {
  return async (req, res) => {
    const { principal, secret, graphId, requestId } = res.locals
    refuseBatch(req.body)
    const controller = new AbortController()
    res.once('close', () => controller.abort())
    const response = await endpoint({
      request: toRequest(req, controller.signal),
      message: req.body,
      graphId,
      scopes: principal.scopes,
      isErasing: res.locals.query['erase'] === 'true',
      secret,
      fetch: (request) => {
        request.headers.set('X-Request-Id', requestId)
        return fetch(request)
      },
      failed: (error) => log.error({ id: requestId, err: error }, 'A tool failed.'),
    })
    const isListening = req.body?.method === 'subscriptions/listen'
    if (isListening) slots.openFeed(res, principal)
    await passOn(response, res, isListening)
  }
}

/**
 * Refuses calls from pages of other origins. Programs send no Origin. An Origin equal to Host is a page of
 * the service itself, since `allowed-host` has checked Host.
 */
function refuseOtherOrigins({ headers: { origin, host } }: HttpRequest, allowed: readonly string[]): void {
  if (origin === undefined || allowed.includes(origin)) return
  if (URL.canParse(origin) && new URL(origin).host === host?.toLowerCase()) return
  throw new HttpFailure(
    'origin_forbidden',
    'Pages of this Origin may not call the service. Its operator can add origins to LOREGRAPH_CORS_ORIGINS.',
  )
}

function onlyGraph({ graphs = [] }: Principal): string | undefined {
  return graphs.length === 1 ? graphs[0] : undefined
}

function refuseBatch(message: unknown): void {
  if (Array.isArray(message))
    throw invalidFields([
      { path: '/body', message: 'must be one message; send each in a request of its own' },
    ])
}

const FORWARDED_HEADERS = /^(?:accept|content-type|mcp-[a-z-]+)$/

function toRequest({ headers: sent, url, body }: HttpRequest, signal: AbortSignal): Request {
  const headers = new Headers()
  for (const [name, value] of Object.entries(sent))
    if (FORWARDED_HEADERS.test(name) && typeof value === 'string') headers.set(name, value)
  // Simple clients send `*/*`; the transport of MCP requires both types by name.
  if (sent.accept?.includes('*/*')) headers.set('accept', 'application/json, text/event-stream')
  return new Request(new URL(url, 'http://localhost'), {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
    signal,
  })
}

/**
 * Sends the response of the MCP endpoint: an event stream in pieces, anything else at once. An endless stream
 * (`isListening`) uses no request slot and is ended when the service stops.
 */
async function passOn(response: Response, res: Answer, isListening: boolean): Promise<void> {
  const headers = Object.fromEntries(response.headers)
  const isStream = headers['content-type']?.startsWith('text/event-stream') === true
  if (!isStream || response.body === null)
    return send(res, response.status, headers, Buffer.from(await response.arrayBuffer()))
  const reader = response.body.getReader()
  const stop = () => {
    reader.cancel().catch(() => undefined)
  }
  begin(res, response.status, headers)
  res.flushHeaders()
  res.once('close', stop)
  if (isListening) {
    res.locals.slot?.pause()
    onShutdown(res, stop)
  }
  for (let next = await reader.read(); !next.done && !res.destroyed; next = await reader.read())
    if (!res.write(next.value)) await drain(res)
  res.end()
}
