import type { IncomingMessage } from 'node:http'
import { STREAM } from '../../contract/contract.js'
import type { BodyBytes } from '../load/body-bytes.js'
import type { Loop } from '../load/loop.js'
import type { Authorised, Parsed, Step } from '../pipeline/exchange.js'
import { inTurns } from '../pipeline/in-turns.js'
import { hasMuchToCome } from '../pipeline/unread-body.js'
import { HttpFailure, invalidFields } from '../problems/problems.js'
import { parseJson, parseLongJson } from './parse-json.js'
import { streamOf } from './stream.js'

/** A shorter body is parsed in a few milliseconds. */
const LONG = 256 * 1024

/**
 * Reads the body of an operation that has one. Not express.json(): that reads a body that is too large to its end
 * before it refuses it.
 */
export function body(loop: Loop, bodies: BodyBytes): Step<Authorised, Pick<Parsed, 'stream'>> {
  return async (req, res, next) => {
    const { slot, principal, stillHolds } = res.locals
    const { consumes, maxBodyBytes } = res.locals.operation
    if (consumes.length === 0) {
      // The validator would keep a compiled copy of the contract for every Content-Type that it meets.
      delete req.headers['content-type']
      if (hasMuchToCome(req)) res.shouldKeepAlive = false
      return next()
    }
    checkEncoding(req.headers['content-encoding'])
    const type = mediaType(req.headers['content-type'], consumes)
    req.headers['content-type'] = type
    if (Number(req.headers['content-length'] ?? 0) > maxBodyBytes) throw tooLarge(maxBodyBytes)
    if (req.headers.expect !== undefined) res.writeContinue()
    if (type === STREAM) {
      const stream = streamOf(req, maxBodyBytes, () => tooLarge(maxBodyBytes), slot)
      res.locals.stream = followedBy(stream, async () => {
        // The service stops, and has said that it will not keep this.
        if (res.locals.error !== undefined) throw res.locals.error
        await stillHolds()
      })
      // For the validator, which is to see that there is one; the handler looks at what is in it.
      req.body = ''
      return next()
    }
    slot?.pause()
    const count = bodies.counting(res, principal.keyId)
    const bytes = await readBytes(req, maxBodyBytes, count).finally(() => slot?.resume())
    if (bytes.length === 0) throw invalidFields([{ path: '/body', message: 'is required' }])
    // What a host reports of its tools may hold any number, and none of it is recorded.
    const mayRound = res.locals.operation.id === 'hook'
    req.body =
      bytes.length > LONG
        ? await loop.parse(principal.keyId, () => inTurns(parseLongJson(bytes, mayRound)))
        : parseJson(bytes, mayRound)
    next()
  }
}

/** A stream may take hours, and a key that was revoked meanwhile must not have it kept: that happens after its end. */
async function* followedBy<T>(stream: AsyncIterable<T>, check: () => Promise<void>): AsyncGenerator<T> {
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

/** The media type without its parameters, of which only the character set means something. */
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
    // Not a list of what came: a chunk may be a byte, and costs a hundred.
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

/** The same bytes, with room for so many more after the first `size`. */
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
