import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Request } from 'express'
import { EVENTS, STREAM } from '../../contract/contract.js'
import { errorCode } from '../../domain/failure.js'
import type { Answer, Headers, Parsed, Slot } from '../pipeline/exchange.js'
import { hasMuchToCome } from '../pipeline/unread-body.js'
import { problemHeaders, problemOf } from '../problems/problems.js'
import { compress, compressor, LEAST_WORTH_COMPRESSING } from './compress.js'
import { etagOf, matches } from './etag.js'
import { respondEvents } from './events.js'
import type { InTurn } from './in-turn.js'
import { isPaged, pageLinks } from './page-links.js'
import { begin, send } from './send.js'

/** The reply of any handler, without the types of its operation. */
export interface AnyReply {
  readonly status: number
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly asOf?: string
  readonly validAt?: string
}

const VARY = 'Accept, Accept-Encoding, Authorization'

/** Sends the reply of a handler as JSON; a read is answered 304 when the caller has it already. */
export function respond(
  req: Request,
  res: Answer<Parsed>,
  reply: AnyReply,
  inTurn: InTurn,
): Promise<void> | undefined {
  const headers: Headers = { Vary: VARY, 'Cache-Control': 'no-store', ...reply.headers }
  if (reply.body === undefined) {
    send(res, reply.status, headers)
    return
  }
  if (isStream(reply.body)) {
    if (res.locals.operation.produces.includes(EVENTS))
      return respondEvents(req, res, reply.status, headers, reply.body, inTurn)
    return respondStream(req, res, reply.status, headers, reply.body, inTurn)
  }
  const text = JSON.stringify(reply.body)
  if (req.method === 'GET' || req.method === 'HEAD') {
    headers['Cache-Control'] = 'private, no-cache'
    if (isPaged(reply.body)) {
      const { path, query } = res.locals
      const { asOf, validAt } = reply
      const kept = {
        ...query,
        ...(asOf !== undefined && { as_of: asOf }),
        ...(validAt !== undefined && { valid_at: validAt }),
      }
      headers['Link'] = pageLinks(path, kept, reply.body)
    }
    const etag = etagOf(text)
    headers['ETag'] = etag
    const known = req.headers['if-none-match']
    if (known !== undefined && matches(known, etag)) {
      send(res, 304, headers)
      return
    }
  }
  headers['Content-Type'] = 'application/json; charset=utf-8'
  return sendText(res, reply.status, headers, text)
}

function isStream(body: unknown): body is AsyncIterable<string> {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body
}

/** Sends a body a piece at a time, no faster than the caller reads. */
async function respondStream(
  req: Request,
  res: Answer<Parsed>,
  status: number,
  headers: Headers,
  pieces: AsyncIterable<string>,
  inTurn: InTurn,
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
  // Before the pipeline ends the answer, which the access log waits for: some versions of Node do so at once.
  const failed = (error: unknown) => {
    res.locals.error = error
    res.locals.cutShort = true
  }
  const paced = Readable.from(atItsPace(body, res.locals.slot, inTurn, failed), { highWaterMark: 1 })
  const sent = encoding === 'identity' ? pipeline(paced, res) : pipeline(paced, compressor(encoding), res)
  try {
    await sent
  } catch (error) {
    // A caller that has gone away is no fault of ours.
    if (errorCode(error) !== 'ERR_STREAM_PREMATURE_CLOSE') throw error
  } finally {
    // The caller may have gone away before the first piece was asked for.
    await body.return?.()
  }
}

/** Between two pieces the caller is waited for, and others have their turn. */
async function* atItsPace(
  body: AsyncIterator<string>,
  slot: Slot | undefined,
  inTurn: InTurn,
  failed: (error: unknown) => void,
): AsyncGenerator<string> {
  try {
    for (;;) {
      const made = await inTurn(() => body.next())
      if (made.done) return
      slot?.pause()
      yield made.value
      slot?.resume()
    }
  } catch (error) {
    failed(error)
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
  if (encoding === 'identity' || text.length < LEAST_WORTH_COMPRESSING) {
    send(res, status, headers, text)
    return
  }
  headers['Content-Encoding'] = encoding
  return compress(encoding, text).then((bytes) => send(res, status, headers, bytes))
}

/** Sends a problem. */
export function respondProblem(req: Request, res: Answer, error: unknown): void {
  const problem = problemOf(error, res.locals.requestId)
  res.locals.error = error
  const headers: Headers = {
    'Cache-Control': 'no-store',
    'Content-Type': 'application/problem+json; charset=utf-8',
    ...problemHeaders(error, problem),
  }
  const text = JSON.stringify(problem)
  if (hasMuchToCome(req)) sendLingering(req, res, problem.status, headers, text)
  else send(res, problem.status, headers, text)
}

const LINGER_MS = 500

/**
 * Answers at once and closes a little later, discarding what still comes: closing with unread data would reset the
 * connection, and the caller might never see why.
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
