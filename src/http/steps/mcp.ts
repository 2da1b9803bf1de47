import type { Request as HttpRequest } from 'express'
import type { Logger } from 'pino'
import type { ContractDocument, Operation } from '../../contract/contract.js'
import type { Principal } from '../../contract/operations.js'
import type { Fetch, McpEndpoint } from '../../mcp/exchange.js'
import type { BodyBytes } from '../load/body-bytes.js'
import type { Loop } from '../load/loop.js'
import type { RateLimits } from '../load/rate-limits.js'
import type { RequestSlots } from '../load/slots.js'
import { MCP_PATHS } from '../pages/pages.js'
import type { Answer, Authorised, Parsed, Received, Step } from '../pipeline/exchange.js'
import { HttpFailure, invalidFields } from '../problems/problems.js'
import { passOn } from '../response/pass-on.js'
import { send } from '../response/send.js'
import { checkGraphId } from '../validation/graph-id.js'
import { type Authenticator, caller } from './auth.js'
import { body } from './body.js'
import { query } from './query.js'

const ALLOW = 'OPTIONS, POST'
/** Without a graph in the path, the secret must be for exactly one graph. */
const [PINNED, OF_GRAPH] = MCP_PATHS
const GRAPH_IN_PATH = /^\/mcp\/([^/]+)$/
/** Describes MCP messages to the steps that they share with operations. */
const MESSAGE: Operation = {
  id: 'mcp',
  method: 'POST',
  path: OF_GRAPH,
  scope: 'read',
  produces: ['application/json', 'text/event-stream'],
  consumes: ['application/json'],
  maxBodyBytes: 1024 * 1024,
  query: { erase: 'boolean' },
  defaults: [],
}

interface McpParts {
  /** Undefined where MCP is not served. */
  readonly endpoint: McpEndpoint | undefined
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

/**
 * Serves MCP messages. The caller is authenticated and counted here, once. Tools then send requests to this
 * service with the same secret, so that scopes, checks and problems are those of other requests.
 */
export function mcp({ endpoint, document, fetch, corsOrigins, log, ...door }: McpParts): Step<Received> {
  if (endpoint === undefined) return (_req, _res, next) => next()
  const identify = caller(door.authenticator, door.limits, door.slots)
  const checkId = checkGraphId(document)
  const [readQuery, readBody] = [query(), body(door.loop, door.bodies)]
  return async (req, res, next) => {
    const { path } = res.locals
    const graphInPath = GRAPH_IN_PATH.exec(path)?.[1]
    if (path !== PINNED && graphInPath === undefined) return next()
    res.locals.route = graphInPath === undefined ? PINNED : OF_GRAPH
    if (req.method === 'OPTIONS') return send(res, 204, { Allow: ALLOW })
    if (req.method !== 'POST')
      throw new HttpFailure('method_not_allowed', `${req.method} is not one of ${ALLOW}.`, {
        headers: { Allow: ALLOW },
      })
    refuseOtherOrigins(req, corsOrigins)
    const { principal, secret, stillHolds } = await identify(req, res)
    // A boundary: sets what steps for operations expect from the steps before them.
    const answer = res as unknown as Answer<Authorised & Partial<Parsed>>
    Object.assign(answer.locals, { operation: MESSAGE, pathParams: {}, principal, stillHolds })
    readQuery(req, answer, noNext)
    const graphId = graphInPath === undefined ? pinnedGraph(principal) : decodeURIComponent(graphInPath)
    // Tools put the id into paths, where `..` would select another path.
    checkId(graphId)
    await readBody(req, answer, noNext)
    refuseBatch(req.body)
    const controller = new AbortController()
    res.once('close', () => controller.abort())
    const response = await endpoint({
      request: toRequest(req, controller.signal),
      message: req.body,
      graphId,
      scopes: principal.scopes,
      isErasing: answer.locals.query?.['erase'] === 'true',
      secret,
      fetch: (request) => {
        request.headers.set('X-Request-Id', res.locals.requestId)
        return fetch(request)
      },
      failed: (error) => log.error({ id: res.locals.requestId, err: error }, 'A tool failed.'),
    })
    const isListening = req.body?.method === 'subscriptions/listen'
    if (isListening) door.slots.openFeed(res, principal)
    await passOn(response, res, isListening)
  }
}

/** The caller awaits these steps, so that `next` has nothing to do. */
function noNext(): void {}

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

function pinnedGraph({ graphs }: Principal): string {
  const [only, ...others] = graphs ?? []
  if (only !== undefined && others.length === 0) return only
  const message = 'must name the graph, as in /mcp/demo, since this secret is not pinned to one'
  throw invalidFields([{ path: '/path', message }])
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
