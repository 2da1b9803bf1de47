import type { IncomingMessage } from 'node:http'
import { STREAM } from '../../contract/contract.js'
import { nextTurn } from '../../loop/next-turn.js'
import { inSlices } from '../../loop/yielding.js'
import type { BodyBytes } from '../load/body-bytes.js'
import type { Loop } from '../load/loop.js'
import type { Authorised, Parsed, Step } from '../pipeline/exchange.js'
import { hasLongUnreadBody } from '../pipeline/unread-body.js'
import { HttpFailure, invalidFields } from '../problems/problems.js'
import { parseJson, parseLongJson } from './parse-json.js'
import { streamOf } from './stream.js'

/** In bytes. A shorter body is parsed in a few milliseconds, without giving way to other requests. */
const LONG_BODY = 256 * 1024

/** Reads the body of a request. express.json() would read a body that is too large to its end. */
export function body(loop: Loop, bodies: BodyBytes): Step<Authorised, Pick<Parsed, 'stream'>> {
  return async (req, res, next) => {
    const { slot, principal, stillHolds } = res.locals
    const { consumes, maxBodyBytes } = res.locals.operation
    if (consumes.length === 0) {
      // The validator would keep a compiled copy of the contract for every Content-Type that clients send.
      delete req.headers['content-type']
      if (hasLongUnreadBody(req)) res.shouldKeepAlive = false
      return next()
    }
    checkEncoding(req.headers['content-encoding'])
    const type = mediaType(req.headers['content-type'], consumes)
    req.headers['content-type'] = type
    if (Number(req.headers['content-length'] ?? 0) > maxBodyBytes) throw tooLarge(maxBodyBytes)
    if (req.headers.expect !== undefined) res.writeContinue()
    if (type === STREAM) {
      const stream = streamOf(req, maxBodyBytes, () => tooLarge(maxBodyBytes), slot)
      res.locals.stream = withFinalCheck(stream, async () => {
        // `abandon` has answered the client that the service is stopping, so that nothing may be recorded.
        if (res.locals.error !== undefined) throw res.locals.error
        await stillHolds()
      })
      // Tells the validator that there is a body; the handler validates the lines of the stream.
      req.body = ''
      return next()
    }
    slot?.pause()
    const count = bodies.counting(res, principal.keyId)
    const bytes = await readBytes(req, maxBodyBytes, count).finally(() => slot?.resume())
    if (bytes.length === 0) throw invalidFields([{ path: '/body', message: 'is required' }])
    // The event of a host may hold any numbers, such as those in the output of a tool, and is not recorded.
    const mayRound = res.locals.operation.id === 'hook'
    req.body =
      bytes.length > LONG_BODY
        ? await loop.parse(principal.keyId, () => inTurns(parseLongJson(bytes, mayRound)))
        : parseJson(bytes, mayRound)
    next()
  }
}

/** Calls `check` before the stream ends and is recorded: the key may have been revoked meanwhile. */
async function* withFinalCheck<T>(stream: AsyncIterable<T>, check: () => Promise<void>): AsyncGenerator<T> {
  yield* stream
  await check()
}

function checkEncoding(encoding: string | undefined): void {
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
    throw new HttpFailure('unsupported_media_type', 'Send the body uncompressed, without Content-Encoding.', {
      headers: { 'Accept-Encoding': 'identity' },
    })
}

const CHARSET = /;\s*charset\s*=\s*"?([^";\s]*)"?/i

/** The media type without its parameters. Throws 415 for another type, or a charset other than UTF-8. */
function mediaType(header: string | undefined, consumes: readonly string[]): string {
  const type = header?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  const charset = CHARSET.exec(header ?? '')?.[1]?.toLowerCase() ?? 'utf-8'
  if (!consumes.includes(type) || (charset !== 'utf-8' && charset !== 'utf8'))
    throw new HttpFailure(
      'unsupported_media_type',
      `Send the body as ${consumes.includes(STREAM) ? 'NDJSON' : 'JSON'} in UTF-8 with "Content-Type: ${consumes.join('" or "')}".`,
    )
  return type
}

function readBytes(req: IncomingMessage, limit: number, count: (bytes: number) => void): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // Not a list of chunks: a chunk of one byte would take a hundred bytes of memory.
    let bytes: Buffer = Buffer.alloc(0)
    let size = 0
    const stop = (error: unknown) => {
      req.off('data', take).off('end', finish).off('close', lose).off('error', lose)
      req.on('error', () => {})
      reject(error)
    }
    const take = (chunk: Buffer) => {
      if (size + chunk.length > limit) return stop(tooLarge(limit))
      try {
        count(chunk.length)
      } catch (error) {
        return stop(error)
      }
      bytes = withRoom(bytes, size, chunk.length)
      size += chunk.copy(bytes, size)
    }
    const finish = () => {
      req.off('close', lose)
      resolve(bytes.subarray(0, size))
    }
    const lose = () => stop(new HttpFailure('request_timeout', 'The connection ended before the body did.'))
    req.on('data', take).on('end', finish).on('close', lose).on('error', lose)
  })
}

/** Returns `bytes`, or a larger copy if there is no room for `more` bytes after the first `size`. */
function withRoom(bytes: Buffer, size: number, more: number): Buffer {
  if (size + more <= bytes.length) return bytes
  const larger = Buffer.allocUnsafeSlow(Math.max(2 * bytes.length, size + more))
  bytes.copy(larger, 0, 0, size)
  return larger
}

function tooLarge(limit: number): HttpFailure {
  const message = `must have at most ${limit} bytes`
  return new HttpFailure('content_too_large', `The body ${message}. Split it into several requests.`, {
    errors: [{ path: '/body', message }],
  })
}

/** Runs a generator to its end and returns its result, giving way to other work every few milliseconds. */
export async function inTurns<T>(work: Iterator<void, T>): Promise<T> {
  const value = await inSlices(work)
  // The following work starts in a turn of its own.
  await nextTurn()
  return value
}
