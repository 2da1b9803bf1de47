import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
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
  const unused = new Set<Socket>()
  let draining = false
  const server = createServer({
    ...limits,
    connectionsCheckingInterval: limits.headersTimeout / 10,
    // Ours answers with a problem; see guard.ts.
    requireHostHeader: false,
  })
  server.timeout = limits.timeout
  server.on('connection', (socket) => {
    unused.add(socket)
    socket.once('close', () => unused.delete(socket))
  })
  const serve: RequestListener = (req, res) => {
    underWay.set(req.socket, res)
    unused.delete(req.socket)
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
    const answer = underWay.get(socket)
    if (!socket.writable || error.code === 'ECONNRESET') socket.destroy()
    // A second answer in the middle of the first would be read as part of it.
    else if (answer?.headersSent === true && !answer.writableEnded) socket.end(() => socket.destroy())
    else refuseConnection(socket, refusalOf(error), log)
  })
  return {
    server,
    drain(deadlineMs) {
      draining = true
      return drain(server, unused, deadlineMs)
    },
  }
}

const GRACE_MS = 1_000
const CLOSE_IDLE_EVERY_MS = 50

/**
 * Clients with connections open are told with their next answer that it was the last one. Node's own close would cut
 * idle connections at once, also those on which a request is just arriving; only after a grace are they closed here.
 * New connections are taken for as long, since those that the system has taken on our behalf would be reset, and
 * whoever asks `/readyz` needs a moment to see that it should ask elsewhere.
 */
async function drain(server: Server, unused: ReadonlySet<Socket>, deadlineMs: number): Promise<void> {
  const started = performance.now()
  const timer = setInterval(() => {
    const waited = performance.now() - started
    if (waited < GRACE_MS) return
    server.closeIdleConnections()
    // Node does not count connections as idle on which nothing was ever sent.
    for (const socket of unused) if (socket.bytesRead === 0) socket.destroy()
    if (waited > deadlineMs) server.closeAllConnections()
  }, CLOSE_IDLE_EVERY_MS)
  await new Promise((resolve) => setTimeout(resolve, GRACE_MS))
  await new Promise<void>((resolve) => {
    NetServer.prototype.close.call(server, () => resolve())
  })
  clearInterval(timer)
}
