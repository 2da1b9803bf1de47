import type { Answer, Headers } from '../pipeline/exchange.js'
import { addCors } from './cors.js'

/** Every answer goes out here. All its headers at once: Node is much slower when some were set before. */
export function send(res: Answer, status: number, headers: Headers, content: string | Buffer = ''): void {
  begin(res, status, headers, content)
  // Text that is all ASCII is the same bytes in Latin-1, which Node writes without looking at each character.
  if (headers['Content-Length'] === content.length) res.end(content, 'latin1')
  else res.end(content)
}

/** Sends the headers; the content, or the end, is to follow. Without content its length is not known yet. */
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
