import type { Answer, Headers, Step } from '../pipeline/exchange.js'

/** Request and response headers allowed to pages of other origins, beyond those of the CORS safelist. */
const REQUEST_HEADERS =
  'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, X-Request-Id, MCP-Protocol-Version, Mcp-Method, Mcp-Name'
const RESPONSE_HEADERS =
  'ETag, Link, Location, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, X-Request-Id'
const PREFLIGHT_SECONDS = '600'

/**
 * Lets pages of the given origins call the service from a browser; browsers block all others. Secrets are
 * sent in a header, never in cookies, so that no page can use the secret of another.
 */
export function cors(origins: readonly string[]): Step {
  if (origins.length === 0) return (_req, _res, next) => next()
  const allowed = new Set(origins)
  return (req, res, next) => {
    const { origin } = req.headers
    const preflight = req.method === 'OPTIONS' && req.headers['access-control-request-method'] !== undefined
    res.locals.cors = { origin: origin !== undefined && allowed.has(origin) ? origin : undefined, preflight }
    next()
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
