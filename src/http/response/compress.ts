import type { Transform } from 'node:stream'
import { promisify } from 'node:util'
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib'
import type { Request } from 'express'
import type { Encoding } from '../pipeline/exchange.js'
import { HttpFailure } from '../problems/problems.js'

/** In characters. Shorter answers are sent as they are. */
export const MIN_COMPRESSED_LENGTH = 1024

const gzipAsync = promisify(gzip)
const brotliAsync = promisify(brotliCompress)

const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }
/** An eighth of the time of the default, for 8 % more bytes: exports should be limited by the network. */
const FAST_GZIP = { level: constants.Z_BEST_SPEED }
const FAST_BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }

/** Compresses a stream. */
export function compressor(encoding: Exclude<Encoding, 'identity'>): Transform {
  return encoding === 'gzip' ? createGzip(FAST_GZIP) : createBrotliCompress(FAST_BROTLI)
}

/** Compresses in the thread pool. The default quality of Brotli is too slow for text that is sent once. */
export function compress(encoding: Exclude<Encoding, 'identity'>, text: string): Promise<Buffer> {
  if (encoding === 'gzip') return gzipAsync(text)
  return brotliAsync(text, BROTLI)
}

const ENCODINGS: Encoding[] = ['br', 'gzip', 'identity']

/** The encoding that `Accept-Encoding` prefers. Throws 406 when it allows none. */
export function chooseEncoding(req: Request): Encoding {
  if (req.headers['accept-encoding'] === undefined) return 'identity'
  const chosen = req.acceptsEncodings(ENCODINGS)
  if (chosen === false)
    throw new HttpFailure('not_acceptable', `Accept-Encoding must allow one of ${ENCODINGS.join(', ')}.`)
  // A boundary: one of those offered.
  return chosen as Encoding
}
