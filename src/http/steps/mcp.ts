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
const [PINNED, OF_GRAPH] = MCP_PATHS
const GRAPH_IN_PATH = /^\/mcp\/([^/]+)$/
/** What the steps that messages share with operations need to know of them. */
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
  /** None where MCP is not served. */
  readonly endpoint: McpEndpoint | undefined
  readonly document: ContractDocument
  readonly authenticator: Authenticator
  readonly limits: RateLimits
  readonly slots: RequestSlots
  readonly loop: Loop
  readonly bodies: BodyBytes
  /** Asks the service itself, without a second place and a second count. */
  readonly fetch: Fetch
  readonly corsOrigins: readonly string[]
  readonly log: Logger
}

/**
 * Messages of MCP. The caller is looked at and counted here, once; what the tools then ask is asked of the service itself,
 * with the caller's secret, so that scopes, checks and problems are those of any other request.
 */
export function mcp({ endpoint, document, fetch, corsOrigins, log, ...door }: McpParts): Step<Received> {
  if (endpoint === undefined) return (_req, _res, next) => next()
  const identify = caller(door.authenticator, door.limits, door.slots)
  const refuseOtherThanGraphs = checkGraphId(document)
  const [readQuery, readBody] = [query(), body(door.loop, door.bodies)]
  return async (req, res, next) => {
    const { path } = res.locals
    const named = GRAPH_IN_PATH.exec(path)?.[1]
    if (path !== PINNED && named === undefined) return next()
    res.locals.route = named === undefined ? PINNED : OF_GRAPH
    if (req.method === 'OPTIONS') return send(res, 204, { Allow: ALLOW })
    if (req.method !== 'POST')
      throw new HttpFailure('method_not_allowed', `${req.method} is not one of ${ALLOW}.`, {
        headers: { Allow: ALLOW },
      })
    refuseOtherOrigins(req, corsOrigins)
    const { principal, secret, stillHolds } = await identify(req, res)
    // A boundary: steps that are written for operations find here what they need.
    const answer = res as unknown as Answer<Authorised & Partial<Parsed>>
    Object.assign(answer.locals, { operation: MESSAGE, pathParams: {}, principal, stillHolds })
    readQuery(req, answer, goOn)
    const graphId = named === undefined ? pinnedGraph(principal) : decodeURIComponent(named)
    // The tools put it into paths, where `..` would lead elsewhere.
    refuseOtherThanGraphs(graphId)
    await readBody(req, answer, goOn)
    refuseSeveral(req.body)
    const gone = new AbortController()
    res.once('close', () => gone.abort())
    const response = await endpoint({
      request: toRequest(req, gone.signal),
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

/** These steps are waited for. */
function goOn(): void {}

/**
 * A browser says which page asks. Programs send no Origin; pages of the service itself are those of the host that was
 * asked, which `allowed-host` has looked at.
 */
function refuseOtherOrigins({ headers: { origin, host } }: HttpRequest, listed: readonly string[]): void {
  if (origin === undefined || listed.includes(origin)) return
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

function refuseSeveral(message: unknown): void {
  if (Array.isArray(message))
    throw invalidFields([
      { path: '/body', message: 'must be one message; send each in a request of its own' },
    ])
}

const PASSED_ON = /^(?:accept|content-type|mcp-[a-z-]+)$/

function toRequest({ headers: sent, url, body }: HttpRequest, signal: AbortSignal): Request {
  const headers = new Headers()
  for (const [name, value] of Object.entries(sent))
    if (PASSED_ON.test(name) && typeof value === 'string') headers.set(name, value)
  // Plain clients take anything.
  if (sent.accept?.includes('*/*')) headers.set('accept', 'application/json, text/event-stream')
  return new Request(new URL(url, 'http://localhost'), {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
    signal,
  })
}
