import type { Answer } from './exchange.js'

export type Headers = Readonly<Record<string, string>>

/** Every answer goes out here. All its headers at once: Node is much slower when some were set before. */
export function send(res: Answer, status: number, headers: Headers, content: string | Buffer = ''): void {
  res.writeHead(status, completed(res, status, headers, content)).end(content)
}

export function completed(res: Answer, status: number, headers: Headers, content: string | Buffer) {
  const all: Record<string, string | number> = {
    ...headers,
    'X-Request-Id': res.locals.requestId,
    'X-Content-Type-Options': 'nosniff',
  }
  if (status !== 204 && status !== 304) all['Content-Length'] = Buffer.byteLength(content)
  return all
}
