import type { Answer, Headers, Step } from '../pipeline/exchange.js'

/** Headers that a page of another origin may send and read, beyond those that every page may. */
const SENT =
  'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, X-Request-Id, MCP-Protocol-Version, Mcp-Method, Mcp-Name'
const READ = 'ETag, Link, Location, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, X-Request-Id'
const PREFLIGHT_SECONDS = '600'

/**
 * Lets pages of the listed origins call the service from a browser. No answer mentions another origin, so that browsers
 * keep its pages out. Secrets travel in a header that a page must know, never in cookies, so that no page can use
 * what another one holds.
 */
export function cors(origins: readonly string[]): Step {
  if (origins.length === 0) return (_req, _res, next) => next()
  const listed = new Set(origins)
  return (req, res, next) => {
    const { origin } = req.headers
    const preflight = req.method === 'OPTIONS' && req.headers['access-control-request-method'] !== undefined
    res.locals.cors = { origin: origin !== undefined && listed.has(origin) ? origin : undefined, preflight }
    next()
  }
}

/** Adds the headers of CORS, and `Vary`. */
export function addCors({ locals: { cors } }: Answer, headers: Headers): void {
  if (cors === undefined) return
  headers['Vary'] = headers['Vary'] === undefined ? 'Origin' : `${headers['Vary']}, Origin`
  if (cors.origin === undefined) return
  headers['Access-Control-Allow-Origin'] = cors.origin
  if (!cors.preflight) headers['Access-Control-Expose-Headers'] = READ
  else if (headers['Allow'] !== undefined) {
    headers['Access-Control-Allow-Methods'] = headers['Allow']
    headers['Access-Control-Allow-Headers'] = SENT
    headers['Access-Control-Max-Age'] = PREFLIGHT_SECONDS
  }
}
