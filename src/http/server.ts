import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { Server as NetServer, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { HttpFailure } from './problems/problems.js'
import { type ClientError, failureOfSocket, refuseConnection } from './problems/socket-errors.js'
import { isLate } from './steps/stream.js'

/** How much and how long a connection may take. */
export interface Limits {
  readonly maxHeaderSize: number
  readonly headersTimeout: number
  /** For a whole request, but for bodies that are read as a stream; see deadline.ts. */
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

/** What is served, and how it hears of connections. */
export interface App {
  readonly listener: RequestListener
  readonly connected: () => void
}

export interface Listener {
  readonly server: Server
  /** Stops accepting, lets what is under way finish, and resolves when every connection is closed. */
  drain(deadlineMs: number): Promise<void>
}

/** Node's server with limits on everything a slow or broken client could hold, and problems for all that it refuses. */
export function createListener({ listener, connected }: App, log: Logger, limits = LIMITS): Listener {
  /** Every connection, with the last answer that was begun on it, and when. */
  const connections = new Map<Duplex, Begun | undefined>()
  let draining = false
  let accepted = 0
  const server = createServer({
    ...limits,
    // Node's own would end every long upload; see below.
    requestTimeout: 0,
    connectionsCheckingInterval: limits.headersTimeout / 10,
    // Ours answers with a problem; see guard.ts.
    requireHostHeader: false,
  })
  server.timeout = limits.timeout
  server.on('connection', (socket) => {
    connected()
    accepted++
    connections.set(socket, undefined)
    socket.once('close', () => connections.delete(socket))
  })
  const serve: RequestListener = (req, res) => {
    connections.set(req.socket, { res, since: performance.now() })
    if (draining) res.shouldKeepAlive = false
    listener(req, res)
  }
  server.on('request', serve)
  // The body rung asks for the body once it wants it, so that a caller can be refused before it sends anything.
  server.on('checkContinue', serve)
  server.on('checkExpectation', (req) =>
    refuseConnection(
      req.socket,
      new HttpFailure('expectation_failed', 'Only 100-continue can be expected.'),
      log,
    ),
  )
  server.on('connect', (_req, socket) =>
    refuseConnection(socket, new HttpFailure('method_not_implemented', 'This is not a proxy.'), log),
  )
  server.on('clientError', (error: ClientError, socket) => {
    const answer = connections.get(socket)?.res
    if (!socket.writable || error.code === 'ECONNRESET') socket.destroy()
    // A second answer in the middle of the first would be read as part of it.
    else if (answer?.headersSent === true && !answer.writableEnded) socket.end(() => socket.destroy())
    else refuseConnection(socket, failureOfSocket(error), log)
  })
  const lateness = setInterval(() => {
    const latest = performance.now() - limits.requestTimeout
    for (const [socket, begun] of connections)
      if (begun !== undefined && begun.since < latest && isLate(begun.res.req))
        server.emit(
          'clientError',
          Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }),
          socket,
        )
  }, limits.headersTimeout / 10).unref()
  server.on('close', () => clearInterval(lateness))
  return {
    server,
    async drain(deadlineMs) {
      await sleep(GRACE_MS)
      draining = true
      await allAccepted(() => accepted)
      // Also the answers that are being worked on are to be the last of their connections.
      for (const begun of connections.values())
        if (begun?.res.headersSent === false) begun.res.shouldKeepAlive = false
      await closed(server, connections, deadlineMs - GRACE_MS)
    },
  }
}

interface Begun {
  readonly res: ServerResponse
  readonly since: number
}

/** Turns of the event loop without a new connection, after which none is waiting to be accepted. */
const QUIET_TURNS = 5
const MOST_TURNS = 2_000

/**
 * Resolves when nobody stands at the door: Node accepts one connection a turn, and closing would reset those that the
 * system has accepted on its behalf.
 */
async function allAccepted(accepted: () => number): Promise<void> {
  for (let quiet = 0, turns = 0; quiet < QUIET_TURNS && turns < MOST_TURNS; turns++) {
    const before = accepted()
    await nextTurn()
    quiet = accepted() === before ? quiet + 1 : 0
  }
}

const GRACE_MS = 1_000
const CLOSE_IDLE_EVERY_MS = 50

/**
 * Resolves when every connection is closed. For a grace before this, everything went on as usual but for `/readyz`, so
 * that whoever asks it could turn elsewhere. Now clients are told with their next answer that it was the last one, and
 * get a second grace to ask for it: Node's own close would cut idle connections at once, also those on which a request
 * is just arriving.
 */
async function closed(
  server: Server,
  connections: ReadonlyMap<Duplex, Begun | undefined>,
  deadlineMs: number,
): Promise<void> {
  const started = performance.now()
  const closeIdle = () => {
    const waited = performance.now() - started
    if (waited <= GRACE_MS) return
    // Node does not count connections as idle on which nothing was ever sent.
    for (const [socket, begun] of connections)
      if (begun === undefined && socket instanceof Socket && socket.bytesRead === 0) socket.destroy()
    server.closeIdleConnections()
    if (waited > deadlineMs) server.closeAllConnections()
  }
  // Only once what has arrived was read: on a busy machine a timer may come long after a request, and yet before it.
  const timer = setInterval(() => setImmediate(closeIdle), CLOSE_IDLE_EVERY_MS)
  await new Promise<void>((resolve) => {
    NetServer.prototype.close.call(server, () => resolve())
  })
  clearInterval(timer)
}
