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
import { isLate } from './steps/stream.js'

/** Limits on the size and duration of what a client sends. */
export interface Limits extends SocketLimits {
  readonly keepAliveTimeout: number
  /** For a connection without any traffic, such as one whose client does not read. */
  readonly timeout: number
}

export const LIMITS: Limits = {
  maxHeaderSize: 16_384,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 5_000,
  timeout: 35_000,
}

/** Pipelined answers that may wait for earlier ones on a connection. */
const MAX_PIPELINED = 100

/** `abandon` answers a request that is not finished when the service has to stop. */
export interface App {
  readonly abandon: (res: ServerResponse) => void
  readonly listener: RequestListener
}

export interface Listener {
  readonly server: Server
  /** Stops accepting, lets requests finish until the deadline, and resolves when no connection is left. */
  drain(deadlineMs: number): Promise<void>
}

/** Creates a server with limits for slow or broken clients, which answers protocol errors with problems. */
export function createListener({ listener, abandon }: App, log: Logger, limits = LIMITS): Listener {
  /** Every connection, with the latest request on it. */
  const connections = new Map<Duplex, LatestRequest | undefined>()
  const unsent = new UnsentAnswers()
  let draining = false
  let accepted = 0
  const server = createServer({
    ...limits,
    // Node's timeout would end every long upload; `timeoutCheck` below replaces it.
    requestTimeout: 0,
    connectionsCheckingInterval: limits.headersTimeout / 10,
    // steps/request-head.ts checks Host and answers with a problem.
    requireHostHeader: false,
  })
  // Node would silently drop headers above a limit on their number. `maxHeaderSize` bounds them.
  server.maxHeadersCount = 0
  server.timeout = limits.timeout
  server.on('timeout', (socket) => {
    const answer = connections.get(socket)?.res
    if (answer !== undefined && isBeingMade(answer, socket)) socket.setTimeout(limits.timeout)
    else socket.destroy()
  })
  server.on('connection', (socket) => {
    acceptBurst.noteConnection()
    accepted++
    connections.set(socket, undefined)
    socket.once('close', () => {
      connections.delete(socket)
      unsent.closeAll(socket)
    })
  })
  const serve: RequestListener = (req, res) => {
    connections.set(req.socket, { res, since: performance.now() })
    if (unsent.add(req.socket, res) > MAX_PIPELINED) return void req.socket.destroy()
    if (draining) res.shouldKeepAlive = false
    listener(req, res)
  }
  server.on('request', serve)
  // The step `body` sends `100 Continue`, so that a request can be refused before the client sends its body.
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
    // An answer has started: the client would read a second one as part of it.
    else if (answer?.headersSent === true && !answer.writableEnded) socket.end(() => socket.destroy())
    else refuseConnection(socket, failureOfSocket(error, limits), log)
  })
  const timeoutCheck = setInterval(() => {
    const deadline = performance.now() - limits.requestTimeout
    for (const [socket, latest] of connections)
      if (latest !== undefined && latest.since < deadline && isLate(latest.res.req))
        server.emit(
          'clientError',
          Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }),
          socket,
        )
  }, limits.headersTimeout / 10).unref()
  server.on('close', () => clearInterval(timeoutCheck))
  return {
    server,
    async drain(deadlineMs) {
      await sleep(GRACE_MS)
      await emptyBacklog(() => accepted)
      const allClosed = closeConnections(server, connections, deadlineMs - GRACE_MS, abandon)
      // Only now: a client told to reconnect earlier might reach the socket while it is being closed.
      draining = true
      // Answers without headers yet can still say `Connection: close`.
      for (const latest of connections.values())
        if (latest?.res.headersSent === false) latest.res.shouldKeepAlive = false
      await allClosed
    },
  }
}

/** Whether the service, not the client, is the one to act. */
function isBeingMade(answer: ServerResponse, socket: Socket): boolean {
  return answer.req.complete && !answer.writableEnded && socket.writableLength === 0
}

interface LatestRequest {
  readonly res: ServerResponse
  readonly since: number
}

/*
 * Connection draining, in four steps:
 * 1. For GRACE_MS only `/readyz` changes, so that a load balancer can switch to other instances.
 * 2. `emptyBacklog` waits until Node has accepted the connections in the accept backlog, one in each turn of
 *    the event loop: closing would reset them. After QUIET_TURNS turns without a new connection the backlog is
 *    empty; MAX_TURNS bounds the wait.
 * 3. The socket is closed, feeds end, and answers say `Connection: close`. For another GRACE_MS idle
 *    connections may send requests: Node's own `close` would cut them off even while a request arrives.
 * 4. Idle connections are closed every CLOSE_IDLE_EVERY_MS. At the deadline unfinished requests are answered
 *    with 503, and ABANDON_MS later all connections are closed.
 */
const GRACE_MS = 1_000
const QUIET_TURNS = 5
const MAX_TURNS = 2_000
const CLOSE_IDLE_EVERY_MS = 50
const ABANDON_MS = 700

/** Resolves when the accept backlog is empty. */
async function emptyBacklog(accepted: () => number): Promise<void> {
  for (let quiet = 0, turns = 0; quiet < QUIET_TURNS && turns < MAX_TURNS; turns++) {
    const before = accepted()
    await nextTurn()
    quiet = accepted() === before ? quiet + 1 : 0
  }
}

/** Closes the socket; resolves when every connection is closed. */
async function closeConnections(
  server: Server,
  connections: ReadonlyMap<Duplex, LatestRequest | undefined>,
  deadlineMs: number,
  abandon: App['abandon'],
): Promise<void> {
  const started = performance.now()
  let abandoned = false
  const closeIdle = () => {
    const waited = performance.now() - started
    for (const latest of connections.values()) if (latest !== undefined) endEvents(latest.res)
    if (waited <= GRACE_MS) return
    // Node does not treat a connection as idle if nothing was ever sent on it.
    for (const [socket, latest] of connections)
      if (latest === undefined && socket instanceof Socket && socket.bytesRead === 0) socket.destroy()
    server.closeIdleConnections()
    if (waited <= deadlineMs) return
    for (const latest of abandoned ? [] : connections.values())
      if (latest?.res.writableEnded === false) abandon(latest.res)
    abandoned = true
    if (waited > deadlineMs + ABANDON_MS) server.closeAllConnections()
  }
  // The immediate runs after arrived data has been read, which a timer on a busy machine may not.
  const timer = setInterval(() => setImmediate(closeIdle), CLOSE_IDLE_EVERY_MS)
  await new Promise<void>((resolve) => {
    NetServer.prototype.close.call(server, () => resolve())
  })
  clearInterval(timer)
}

/**
 * Tracks pipelined answers that wait for earlier answers on their connection. When the connection is closed,
 * some versions of Node emit `close` only for the first answer; the others would never release their slots.
 */
class UnsentAnswers {
  readonly #bySocket = new WeakMap<Duplex, Set<ServerResponse>>()

  /** Returns how many answers wait on the connection. */
  add(socket: Duplex, res: ServerResponse): number {
    // Not waiting: Node emits `close` for an answer that has its socket.
    if (res.socket !== null) return 0
    const answers = this.#bySocket.get(socket) ?? new Set()
    this.#bySocket.set(socket, answers.add(res))
    res.once('close', () => answers.delete(res))
    return answers.size
  }

  /** To be called when the connection is closed. */
  closeAll(socket: Duplex): void {
    for (const res of this.#bySocket.get(socket) ?? []) {
      if (res.socket !== null) continue
      res.destroy()
      if (!res.closed) res.emit('close')
    }
  }
}
