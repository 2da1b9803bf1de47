import type { Answer, Headers } from '../pipeline/exchange.js'
import { addCors } from './cors.js'

/** Sends an answer with all its headers at once: Node is much slower when some have been set before. */
export function send(res: Answer, status: number, headers: Headers, content: string | Buffer = ''): void {
  begin(res, status, headers, content)
  // ASCII text has the same bytes in Latin-1, which Node writes faster.
  if (headers['Content-Length'] === content.length) res.end(content, 'latin1')
  else res.end(content)
}

/** Sends the headers alone. `content` determines Content-Length and is left out for a stream. */
export function begin(res: Answer, status: number, headers: Headers, content?: string | Buffer): Answer {
  headers['X-Request-Id'] = res.locals.requestId
  headers['X-Content-Type-Options'] = 'nosniff'
  const { rateLimit, cors } = res.locals
  if (rateLimit !== undefined) {
    headers['RateLimit-Policy'] = rateLimit.policy
    headers['RateLimit'] = rateLimit.state
  }
  if (cors !== undefined) addCors(res, headers)
  if (content !== undefined && status !== 204 && status !== 304)
    headers['Content-Length'] = Buffer.byteLength(content)
  return res.writeHead(status, headers)
}
