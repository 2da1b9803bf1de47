import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { Server as NetServer, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { acceptBurst } from '../loop/accept-burst.js'
import { HttpFailure } from './problems/problems.js'
import {
  type ClientError,
  failureOfSocket,
  refuseConnection,
  type SocketLimits,
} from './problems/socket-errors.js'
import { endEvents } from './response/events.js'
import { UnsentAnswers } from './response/unsent.js'
import { isLate } from './steps/stream.js'

/** How much and how long a connection may take. */
export interface Limits extends SocketLimits {
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

/** Answers of one connection that wait for those before them. */
const MOST_UNSENT = 100

/** The listener for requests, and what gives up an answer when there is no more time. */
export interface App {
  readonly abandon: (res: ServerResponse) => void
  readonly listener: RequestListener
}

export interface Listener {
  readonly server: Server
  /** Stops accepting, lets what is under way finish until the deadline, and resolves when every connection is closed. */
  drain(deadlineMs: number): Promise<void>
}

/** Node's server with limits on everything a slow or broken client could hold, and problems for all that it refuses. */
export function createListener({ listener, abandon }: App, log: Logger, limits = LIMITS): Listener {
  /** Every connection, with the last answer that was begun on it, and when. */
  const connections = new Map<Duplex, Begun | undefined>()
  const unsent = new UnsentAnswers()
  let draining = false
  let accepted = 0
  const server = createServer({
    ...limits,
    // Node's own would end every long upload; `lateness` below takes its place.
    requestTimeout: 0,
    connectionsCheckingInterval: limits.headersTimeout / 10,
    // Ours answers with a problem; see steps/request-head.ts.
    requireHostHeader: false,
  })
  // No limit on their number: Node would drop those beyond it in silence. `maxHeaderSize` bounds them.
  server.maxHeadersCount = 0
  server.timeout = limits.timeout
  server.on('timeout', (socket) => {
    const answer = connections.get(socket)?.res
    if (answer !== undefined && isInTheMaking(answer, socket)) socket.setTimeout(limits.timeout)
    else socket.destroy()
  })
  server.on('connection', (socket) => {
    acceptBurst.noteConnection()
    accepted++
    connections.set(socket, undefined)
    socket.once('close', () => {
      connections.delete(socket)
      unsent.lost(socket)
    })
  })
  const serve: RequestListener = (req, res) => {
    connections.set(req.socket, { res, since: performance.now() })
    if (unsent.add(req.socket, res) > MOST_UNSENT) return void req.socket.destroy()
    if (draining) res.shouldKeepAlive = false
    listener(req, res)
  }
  server.on('request', serve)
  // The step `body` asks for the body once it wants it, so that a caller can be refused before it sends anything.
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
    else refuseConnection(socket, failureOfSocket(error, limits), log)
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
      await allAccepted(() => accepted)
      const over = closed(server, connections, deadlineMs - GRACE_MS, abandon)
      // Not before the socket is closed: a client that is told to connect again then might meet it half closed.
      draining = true
      // Answers that are being worked on are the last of their connections, too.
      for (const begun of connections.values())
        if (begun?.res.headersSent === false) begun.res.shouldKeepAlive = false
      await over
    },
  }
}

/** It is not the client that is waited for. */
function isInTheMaking(answer: ServerResponse, socket: Socket): boolean {
  return answer.req.complete && !answer.writableEnded && socket.writableLength === 0
}

interface Begun {
  readonly res: ServerResponse
  readonly since: number
}

/*
 * Closing without cutting (connection draining), in four steps:
 * 1. For GRACE_MS everything goes on as usual but for `/readyz`, so that a load balancer can turn elsewhere.
 * 2. `allAccepted`: Node accepts one connection a turn of the event loop, and closing resets what the system has accepted
 *    on its behalf. QUIET_TURNS turns without a new connection mean that the accept backlog is empty; MOST_TURNS bounds
 *    the wait when new ones never cease.
 * 3. The socket is closed, feeds end, each answer from now on says `Connection: close`, and for a second GRACE_MS idle connections may
 *    still ask: Node's own `close` would cut them at once, also those on which a request is just arriving.
 * 4. Idle connections are closed every CLOSE_IDLE_EVERY_MS. At the deadline what is still under way is answered with 503;
 *    LAST_WORD_MS later all connections are closed.
 */
const GRACE_MS = 1_000
const QUIET_TURNS = 5
const MOST_TURNS = 2_000
const CLOSE_IDLE_EVERY_MS = 50
const LAST_WORD_MS = 700

/** Resolves when the accept backlog is empty. */
async function allAccepted(accepted: () => number): Promise<void> {
  for (let quiet = 0, turns = 0; quiet < QUIET_TURNS && turns < MOST_TURNS; turns++) {
    const before = accepted()
    await nextTurn()
    quiet = accepted() === before ? quiet + 1 : 0
  }
}

/** Resolves when every connection is closed. */
async function closed(
  server: Server,
  connections: ReadonlyMap<Duplex, Begun | undefined>,
  deadlineMs: number,
  abandon: App['abandon'],
): Promise<void> {
  const started = performance.now()
  let abandoned = false
  const closeIdle = () => {
    const waited = performance.now() - started
    for (const begun of connections.values()) if (begun !== undefined) endEvents(begun.res)
    if (waited <= GRACE_MS) return
    // Node does not count connections as idle on which nothing was ever sent.
    for (const [socket, begun] of connections)
      if (begun === undefined && socket instanceof Socket && socket.bytesRead === 0) socket.destroy()
    server.closeIdleConnections()
    if (waited <= deadlineMs) return
    for (const begun of abandoned ? [] : connections.values())
      if (begun?.res.writableEnded === false) abandon(begun.res)
    abandoned = true
    if (waited > deadlineMs + LAST_WORD_MS) server.closeAllConnections()
  }
  // The immediate runs after what has arrived was read: on a busy machine a timer may fire late, and yet before that.
  const timer = setInterval(() => setImmediate(closeIdle), CLOSE_IDLE_EVERY_MS)
  await new Promise<void>((resolve) => {
    NetServer.prototype.close.call(server, () => resolve())
  })
  clearInterval(timer)
}
