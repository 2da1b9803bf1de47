import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Request } from 'express'
import { etagOf, matches } from './etag.js'
import type { Answer, Encoding } from './exchange.js'
import { isPaged, pageLinks } from './links.js'
import { type Problem, problemHeaders, problemOf } from './problems.js'

/** What any handler may answer with, the types of the single operations aside. */
export interface AnyReply {
  readonly status: number
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
}

const VARY = 'Accept, Accept-Encoding, Authorization'

/** Sends the reply of a handler as JSON; a read is answered 304 when the caller has it already. */
export async function respond(req: Request, res: Answer, reply: AnyReply): Promise<void> {
  const headers: Record<string, string | number> = {
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'private, no-cache',
    Vary: VARY,
    ...reply.headers,
  }
  if (reply.body === undefined) return end(res, reply.status, headers, '')
  const text = JSON.stringify(reply.body)
  if (req.method === 'GET' || req.method === 'HEAD') {
    if (isPaged(reply.body)) headers['Link'] = pageLinks(req.url, res.locals.query, reply.body)
    const etag = etagOf(text)
    headers['ETag'] = etag
    const known = req.headers['if-none-match']
    if (known !== undefined && matches(known, etag)) return end(res, 304, headers, '')
  } else headers['Cache-Control'] = 'no-store'
  headers['Content-Type'] = 'application/json; charset=utf-8'
  const { encoding } = res.locals
  if (encoding === 'identity' || text.length < LEAST_WORTH_COMPRESSING)
    return end(res, reply.status, headers, text)
  headers['Content-Encoding'] = encoding
  end(res, reply.status, headers, await compress(encoding, text))
}

/** Sends a problem. */
export function respondProblem(req: Request, res: Answer, error: unknown): void {
  const problem: Problem = problemOf(error, res.locals.requestId)
  res.locals.error = error
  const headers: Record<string, string | number> = {
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
    'Content-Type': 'application/problem+json; charset=utf-8',
    ...problemHeaders(error, problem),
  }
  const text = JSON.stringify(problem)
  if (hasMuchToCome(req)) endLingering(req, res, problem.status, headers, text)
  else end(res, problem.status, headers, text)
}

type Headers = Record<string, string | number>

function end(res: Answer, status: number, headers: Headers, content: string | Buffer): void {
  if (status !== 204 && status !== 304) headers['Content-Length'] = Buffer.byteLength(content)
  res.writeHead(status, headers).end(content)
}

const LINGER_MS = 500
const WORTH_READING_TO_THE_END = 65536

/** A body that was refused unread, and is too long (or of unknown length) to be read just to keep the connection. */
function hasMuchToCome(req: Request): boolean {
  if (req.complete) return false
  const length = req.headers['content-length']
  return length === undefined
    ? req.headers['transfer-encoding'] !== undefined
    : Number(length) > WORTH_READING_TO_THE_END
}

/**
 * Answers at once and closes a little later, discarding what still comes: closing with unread data would reset the
 * connection, and the caller might never see why.
 */
function endLingering(req: Request, res: Answer, status: number, headers: Headers, text: string): void {
  res.writeHead(status, { ...headers, Connection: 'close', 'Content-Length': Buffer.byteLength(text) })
  res.write(text)
  const finish = () => res.end()
  const timer = setTimeout(finish, LINGER_MS)
  req
    .resume()
    .once('end', finish)
    .once('close', () => clearTimeout(timer))
}

const LEAST_WORTH_COMPRESSING = 1024
const gzipAsync = promisify(gzip)
const brotliAsync = promisify(brotliCompress)

function compress(encoding: Exclude<Encoding, 'identity'>, text: string): Promise<Buffer> {
  // Brotli's own default is meant for files that are compressed once and served for ever.
  return encoding === 'gzip'
    ? gzipAsync(text)
    : brotliAsync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } })
}
