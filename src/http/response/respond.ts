import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Request } from 'express'
import { EVENTS, STREAM } from '../../contract/contract.js'
import { isStream } from '../../contract/operations.js'
import { errorCode } from '../../domain/failure.js'
import { lastPage } from '../../domain/page.js'
import type { Answer, Headers, Parsed, Slot } from '../pipeline/exchange.js'
import { idOf } from '../pipeline/request-id.js'
import { hasLongUnreadBody } from '../pipeline/unread-body.js'
import { HttpFailure, problemHeaders, problemOf } from '../problems/problems.js'
import { compress, compressor, MIN_COMPRESSED_LENGTH } from './compress.js'
import { etagOf, matches } from './etag.js'
import { respondEvents, type Schedule } from './events.js'
import { begin, send } from './send.js'

/** The reply of a handler, whatever its operation. */
export interface AnyReply {
  readonly status: number
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly asOf?: string
  readonly validAt?: string
}

const VARY = 'Accept, Accept-Encoding, Authorization'

/** Sends the reply of a handler. A read is answered with 304 when the client has the current answer. */
export function respond(
  req: Request,
  res: Answer<Parsed>,
  reply: AnyReply,
  schedule: Schedule,
): Promise<void> | undefined {
  const headers: Headers = { Vary: VARY, 'Cache-Control': 'no-store', ...reply.headers }
  if (reply.body === undefined) {
    send(res, reply.status, headers)
    return
  }
  if (isStream(reply.body)) {
    if (res.locals.operation.produces.includes(EVENTS))
      return respondEvents(req, res, reply.status, headers, reply.body, schedule)
    return respondStream(req, res, reply.status, headers, reply.body, schedule)
  }
  const text = JSON.stringify(reply.body)
  if (req.method === 'GET' || req.method === 'HEAD') {
    headers['Cache-Control'] = 'private, no-cache'
    if (isPaged(reply.body)) {
      const { path, query } = res.locals
      const { asOf, validAt } = reply
      const pinnedQuery = {
        ...query,
        ...(asOf !== undefined && { as_of: asOf }),
        ...(validAt !== undefined && { valid_at: validAt }),
      }
      headers['Link'] = pageLinks(path, pinnedQuery, reply.body)
    }
    const etag = etagOf(text)
    headers['ETag'] = etag
    const tags = req.headers['if-none-match']
    if (tags !== undefined && matches(tags, etag)) {
      send(res, 304, headers)
      return
    }
  }
  headers['Content-Type'] = 'application/json; charset=utf-8'
  return sendText(res, reply.status, headers, text)
}

/** Sends a body in pieces, no faster than the client reads. */
async function respondStream(
  req: Request,
  res: Answer<Parsed>,
  status: number,
  headers: Headers,
  pieces: AsyncIterable<string>,
  schedule: Schedule,
): Promise<void> {
  const { encoding } = res.locals
  headers['Content-Type'] = `${STREAM}; charset=utf-8`
  if (encoding !== 'identity') headers['Content-Encoding'] = encoding
  begin(res, status, headers)
  const body = pieces[Symbol.asyncIterator]()
  if (req.method === 'HEAD') {
    res.end()
    await body.return?.()
    return
  }
  // Sets the error before the pipeline closes the answer, since the access log reads it then.
  const onError = (error: unknown) => {
    res.locals.error = error
    res.locals.cutShort = true
  }
  const source = Readable.from(pacedPieces(body, res.locals.slot, schedule, onError), { highWaterMark: 1 })
  try {
    await (encoding === 'identity' ? pipeline(source, res) : pipeline(source, compressor(encoding), res))
  } catch (error) {
    // The client has disconnected: not an error of the service.
    if (errorCode(error) !== 'ERR_STREAM_PREMATURE_CLOSE') throw error
  } finally {
    // The pipeline does not start the generator if the client disconnects before the first piece.
    await body.return?.()
  }
}

/** Produces each piece in its turn, and pauses the slot while the client reads. */
async function* pacedPieces(
  body: AsyncIterator<string>,
  slot: Slot | undefined,
  schedule: Schedule,
  onError: (error: unknown) => void,
): AsyncGenerator<string> {
  try {
    for (;;) {
      const { done, value } = await schedule(() => body.next())
      if (done) return
      slot?.pause()
      yield value
      slot?.resume()
    }
  } catch (error) {
    onError(error)
    throw error
  }
}

function sendText(
  res: Answer<Parsed>,
  status: number,
  headers: Headers,
  text: string,
): Promise<void> | undefined {
  const { encoding } = res.locals
  if (encoding === 'identity' || text.length < MIN_COMPRESSED_LENGTH) {
    send(res, status, headers, text)
    return
  }
  headers['Content-Encoding'] = encoding
  return compress(encoding, text).then((bytes) => send(res, status, headers, bytes))
}

export function respondProblem(req: Request, res: Answer, error: unknown): void {
  const problem = problemOf(error, res.locals.requestId)
  res.locals.error = error
  const headers: Headers = {
    'Cache-Control': 'no-store',
    'Content-Type': 'application/problem+json; charset=utf-8',
    ...problemHeaders(error, problem),
  }
  const text = JSON.stringify(problem)
  if (hasLongUnreadBody(req)) sendLingering(req, res, problem.status, headers, text)
  else send(res, problem.status, headers, text)
}

const LINGER_MS = 500

/**
 * Answers at once and closes a little later, discarding the rest of the body. Closing with unread data would
 * reset the connection, and the client might never see the answer.
 */
function sendLingering(req: Request, res: Answer, status: number, headers: Headers, text: string): void {
  headers['Connection'] = 'close'
  begin(res, status, headers, text).write(text)
  const finish = () => res.end()
  const timer = setTimeout(finish, LINGER_MS)
  req
    .resume()
    .once('end', finish)
    .once('close', () => clearTimeout(timer))
}

/**
 * Gives up an answer when the service stops: with 503 if nothing has been sent. An answer that has started
 * ends early, and the access log says why.
 */
export function abandon(res: ServerResponse): void {
  // A boundary: Express adds `locals`, but may not have seen the request yet.
  const answer = res as Answer
  if ((res as Partial<Answer>).locals === undefined) Object.assign(res, { locals: {} })
  answer.locals.requestId ??= idOf(res.req)
  const failure = new HttpFailure('not_ready', 'The service is stopping and cannot finish this. Try again.')
  if (res.headersSent) Object.assign(answer.locals, { error: failure, cutShort: true })
  else respondProblem(res.req as Request, answer, failure)
}

interface PagedBody {
  readonly total: number
  readonly page: number
  readonly page_size: number
}

function isPaged(body: unknown): body is PagedBody {
  return typeof body === 'object' && body !== null && 'page_size' in body && 'page' in body && 'total' in body
}

/** The `Link` header of a page (RFC 8288): first and last, and prev and next where they exist. */
export function pageLinks(path: string, query: Readonly<Record<string, unknown>>, body: PagedBody): string {
  const { total, page, page_size: size } = body
  const last = lastPage(total, size)
  let base = `<${path.replace(/[<>"]/g, encodeURIComponent)}?`
  for (const name in query)
    if (name !== 'page' && name !== 'page_size') base += `${name}=${encodeURIComponent(String(query[name]))}&`
  const link = (rel: string, to: number) => `${base}page=${to}&page_size=${size}>; rel="${rel}"`
  let links = link('first', 0)
  if (page > 0) links += `, ${link('prev', Math.min(page - 1, last))}`
  if (page < last) links += `, ${link('next', page + 1)}`
  return `${links}, ${link('last', last)}`
}
