import type { Transform } from 'node:stream'
import { promisify } from 'node:util'
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib'
import type { Encoding } from '../pipeline/exchange.js'

export const LEAST_WORTH_COMPRESSING = 1024

const gzipAsync = promisify(gzip)
const brotliAsync = promisify(brotliCompress)

const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }
/** A twelfth longer than by the default, in an eighth of the time: an export should wait for the network, not for us. */
const FAST_GZIP = { level: constants.Z_BEST_SPEED }
const FAST_BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }

/** For what comes a piece at a time, of any length. */
export function compressor(encoding: Exclude<Encoding, 'identity'>): Transform {
  return encoding === 'gzip' ? createGzip(FAST_GZIP) : createBrotliCompress(FAST_BROTLI)
}

/** Off the event loop. Brotli's own default is meant for files that are compressed once and served for ever. */
export function compress(encoding: Exclude<Encoding, 'identity'>, text: string): Promise<Buffer> {
  if (encoding === 'gzip') return gzipAsync(text)
  return brotliAsync(text, BROTLI)
}
