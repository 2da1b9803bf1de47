import { IncomingMessage, type RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import type { Fetch } from '../mcp/exchange.js'

/**
 * A `fetch` that calls a request listener of this process, without a connection. It resolves with the
 * complete answer, and rejects when the answer ends early or the request is aborted.
 */
export function innerFetch(listener: RequestListener): Fetch {
  return async (request) => {
    const body = Buffer.from(await request.arrayBuffer())
    const { signal } = request
    signal.throwIfAborted()
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = []
      const socket = new Duplex({
        read() {},
        write(chunk: Buffer, _encoding, done) {
          chunks.push(chunk)
          done()
        },
      }) as Socket
      const req = toIncoming(request, body, socket)
      const res = new ServerResponse(req)
      // Chunked encoding would put the length of each chunk between the bytes of the body.
      res.useChunkedEncodingByDefault = false
      res.assignSocket(socket)
      const giveUp = () => {
        reject(signal.reason)
        res.destroy()
      }
      signal.addEventListener('abort', giveUp, { once: true })
      res.once('finish', () => {
        resolve(toResponse(Buffer.concat(chunks)))
        socket.destroy()
      })
      res.once('close', () => {
        signal.removeEventListener('abort', giveUp)
        reject(new Error('The answer was cut short.'))
      })
      socket.once('error', reject)
      listener(req, res)
    })
  }
}

function toIncoming(request: Request, body: Buffer, socket: Socket): IncomingMessage {
  const { pathname, search, host } = new URL(request.url)
  const headers = { host, ...Object.fromEntries(request.headers), 'content-length': String(body.length) }
  const req = new IncomingMessage(socket)
  Object.assign(req, {
    method: request.method,
    url: pathname + search,
    httpVersion: '1.1',
    httpVersionMajor: 1,
    httpVersionMinor: 1,
    headers,
    rawHeaders: Object.entries(headers).flat(),
    complete: true,
  })
  if (body.length > 0) req.push(body)
  req.push(null)
  return req
}

const END_OF_HEAD = '\r\n\r\n'

function toResponse(bytes: Buffer): Response {
  const end = bytes.indexOf(END_OF_HEAD)
  const [first = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n')
  const headers = new Headers()
  for (const line of lines) {
    const colon = line.indexOf(':')
    headers.append(line.slice(0, colon), line.slice(colon + 1).trim())
  }
  const status = Number(first.split(' ')[1])
  const hasNoBody = status === 204 || status === 304
  return new Response(hasNoBody ? null : bytes.subarray(end + END_OF_HEAD.length), { status, headers })
}
