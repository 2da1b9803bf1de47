import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { Server as NetServer } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Logger } from 'pino'
import { type ClientError, refusalOf, refuseConnection } from './client-errors.js'
import { Refusal } from './problems.js'

/** How much and how long a connection may take. */
export interface Limits {
  readonly maxHeaderSize: number
  readonly headersTimeout: number
  readonly requestTimeout: number
  readonly keepAliveTimeout: number
  /** For a connection on which nothing moves, such as one whose client does not read. */
  readonly timeout: number
}

export const LIMITS: Limits = {
  maxHeaderSize: 16_384,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 5_000,
  timeout: 35_000,
}

export interface Listener {
  readonly server: Server
  /** Stops accepting, lets what is under way finish, and resolves when every connection is closed. */
  drain(deadlineMs: number): Promise<void>
}

/** Node's server with limits on everything a slow or broken client could hold, and problems for all that it refuses. */
export function createListener(app: RequestListener, log: Logger, limits = LIMITS): Listener {
  const underWay = new WeakMap<Duplex, ServerResponse>()
  let draining = false
  const server = createServer({
    ...limits,
    connectionsCheckingInterval: limits.headersTimeout / 10,
    // Ours answers with a problem; see guard.ts.
    requireHostHeader: false,
  })
  server.timeout = limits.timeout
  const serve: RequestListener = (req, res) => {
    underWay.set(req.socket, res)
    if (draining) res.shouldKeepAlive = false
    app(req, res)
  }
  server.on('request', serve)
  // The body rung asks for the body once it wants it, so that a caller can be refused before it sends anything.
  server.on('checkContinue', serve)
  server.on('checkExpectation', (req) =>
    refuseConnection(
      req.socket,
      new Refusal('expectation_failed', 'Only 100-continue can be expected.'),
      log,
    ),
  )
  server.on('connect', (_req, socket) =>
    refuseConnection(socket, new Refusal('method_not_implemented', 'This is not a proxy.'), log),
  )
  server.on('clientError', (error: ClientError, socket) => {
    if (!socket.writable || error.code === 'ECONNRESET') socket.destroy()
    // A second answer in the middle of the first would be read as part of it.
    else if (underWay.get(socket)?.headersSent === true) socket.end(() => socket.destroy())
    else refuseConnection(socket, refusalOf(error), log)
  })
  return {
    server,
    drain(deadlineMs) {
      draining = true
      return drain(server, deadlineMs)
    },
  }
}

const GRACE_MS = 500
const CLOSE_IDLE_EVERY_MS = 50

/**
 * Clients with connections open are told with their next answer that it was the last one. Node's own close would cut
 * idle connections at once, also those on which a request is just arriving; only after a grace are they closed here.
 */
async function drain(server: Server, deadlineMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    NetServer.prototype.close.call(server, () => resolve())
  })
  const grace = setTimeout(() => {
    server.closeIdleConnections()
    timer = setInterval(() => server.closeIdleConnections(), CLOSE_IDLE_EVERY_MS)
  }, GRACE_MS)
  let timer: NodeJS.Timeout | undefined
  const deadline = setTimeout(() => server.closeAllConnections(), deadlineMs)
  await closed
  clearTimeout(grace)
  clearInterval(timer)
  clearTimeout(deadline)
}
