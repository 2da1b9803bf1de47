import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Logger } from 'pino'
import { HttpFailure, helpLink, problemOf } from './problems.js'

export interface ClientError extends Error {
  readonly code?: string
  /** The bytes that could not be parsed. */
  readonly rawPacket?: Buffer
}

/** The limits that appear in messages. */
export interface SocketLimits {
  readonly maxHeaderSize: number
  readonly headersTimeout: number
  /** For a whole request. Does not apply to bodies that are read as a stream; see steps/stream.ts. */
  readonly requestTimeout: number
}

const METHOD = /^[A-Za-z]+ /
const MALFORMED = 'The request is not well-formed HTTP.'

/** The failure for an error that Node reports before there is a request. */
export function failureOfSocket(error: ClientError, limits: SocketLimits): HttpFailure {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return new HttpFailure(
        'headers_too_large',
        `The request line and headers have at most ${limits.maxHeaderSize} bytes.`,
      )
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new HttpFailure('content_too_large', 'Send the body without chunk extensions.')
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new HttpFailure(
        'request_timeout',
        `Headers must arrive within ${limits.headersTimeout / 1000} seconds, the rest within ${limits.requestTimeout / 1000}.`,
      )
    case 'HPE_INVALID_METHOD':
      if (METHOD.test(error.rawPacket?.toString('latin1') ?? ''))
        return new HttpFailure('method_not_implemented', 'The method is not one of HTTP.')
      return new HttpFailure('invalid_request', MALFORMED)
    default:
      return new HttpFailure('invalid_request', MALFORMED)
  }
}

/** Time for the client to read the problem: closing a connection with unread data resets it. */
const LINGER_MS = 1_000

/** Writes a problem directly to the connection and closes it, whatever the client does. */
export function refuseConnection(socket: Duplex, refusal: HttpFailure, log: Logger): void {
  // Node removes its own error listener from the connection of a CONNECT request.
  socket.on('error', () => socket.destroy())
  if (!socket.writable) return void socket.destroy()
  const lingering = setTimeout(() => socket.destroy(), LINGER_MS).unref()
  socket.resume().once('close', () => clearTimeout(lingering))
  const requestId = randomUUID()
  const problem = problemOf(refusal, requestId)
  const text = JSON.stringify(problem)
  log.info({ id: requestId, method: 'none', route: 'none', status: problem.status, code: problem.code })
  socket.end(
    [
      `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status] ?? ''}`,
      'Connection: close',
      'Content-Type: application/problem+json; charset=utf-8',
      'Cache-Control: no-store',
      `Link: ${helpLink(problem.code)}`,
      'X-Content-Type-Options: nosniff',
      `X-Request-Id: ${requestId}`,
      `Content-Length: ${Buffer.byteLength(text)}`,
      '',
      text,
    ].join('\r\n'),
  )
}
