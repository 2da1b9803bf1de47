import type { IncomingMessage } from 'node:http'
import type { Answer, Headers, Step } from '../pipeline/exchange.js'

/** Request and response headers allowed to pages of other origins, beyond those of the CORS safelist. */
const REQUEST_HEADERS =
  'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, X-Request-Id, MCP-Protocol-Version, Mcp-Method, Mcp-Name'
const RESPONSE_HEADERS =
  'ETag, Link, Location, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, X-Request-Id'
const PREFLIGHT_SECONDS = '600'

export function cors(corsOfRequest: CorsOf): Step {
  return (req, res, next) => {
    const found = corsOfRequest(req)
    if (found !== undefined) res.locals.cors = found
    next()
  }
}

/** What the origin of a request is allowed; undefined where no origins are. */
export type CorsOf = (req: IncomingMessage) => Answer['locals']['cors']

/**
 * Lets pages of the given origins call the service from a browser; browsers block all others. Secrets are
 * sent in a header, never in cookies, so that no page can use the secret of another.
 */
export function corsOf(origins: readonly string[]): CorsOf {
  if (origins.length === 0) return () => undefined
  const allowed = new Set(origins)
  return ({ method, headers }) => {
    const { origin } = headers
    const preflight = method === 'OPTIONS' && headers['access-control-request-method'] !== undefined
    return { origin: origin !== undefined && allowed.has(origin) ? origin : undefined, preflight }
  }
}

/** Adds the CORS headers and `Vary: Origin`. */
export function addCors({ locals: { cors } }: Answer, headers: Headers): void {
  if (cors === undefined) return
  headers['Vary'] = headers['Vary'] === undefined ? 'Origin' : `${headers['Vary']}, Origin`
  if (cors.origin === undefined) return
  headers['Access-Control-Allow-Origin'] = cors.origin
  if (!cors.preflight) headers['Access-Control-Expose-Headers'] = RESPONSE_HEADERS
  else if (headers['Allow'] !== undefined) {
    headers['Access-Control-Allow-Methods'] = headers['Allow']
    headers['Access-Control-Allow-Headers'] = REQUEST_HEADERS
    headers['Access-Control-Max-Age'] = PREFLIGHT_SECONDS
  }
}
