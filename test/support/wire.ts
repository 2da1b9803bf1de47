import { Agent, type IncomingHttpHeaders, request } from 'node:http'

/** A request that is sent as it is: unlike `fetch`, nothing is normalised. */
export interface RawRequest {
  readonly method: string
  /** Path and query as they go over the wire. */
  readonly target: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer | undefined
}

/** The answer, uninterpreted. */
export interface RawResponse {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

const EVENTS = 'text/event-stream'
const EVENTS_MS = 30

const agent = new Agent({ keepAlive: true, maxSockets: 4 })

export function send(port: number, { method, target, headers, body }: RawRequest): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }
    const outgoing = request(
      { agent, host: '127.0.0.1', port, method, path: target, headers: { ...length, ...headers } },
      (incoming) => {
        const chunks: Buffer[] = []
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
        const finish = () =>
          resolve({
            status: incoming.statusCode ?? 0,
            headers: incoming.headers,
            text: Buffer.concat(chunks).toString('utf8'),
          })
        incoming.on('end', finish)
        if (incoming.headers['content-type']?.startsWith(EVENTS)) {
          // A stream of events does not end: what comes at once is enough.
          incoming.on('error', () => {})
          setTimeout(() => {
            finish()
            incoming.destroy()
          }, EVENTS_MS)
        } else incoming.on('error', reject)
      },
    )
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

/**
 * Percent-encodes a text as one path segment or query value. Half a surrogate pair, at which `encodeURIComponent`
 * throws, becomes the three bytes that a careless client would send.
 */
export function percentEncode(text: string): string {
  let encoded = ''
  for (const character of text)
    encoded += /^\p{Cs}$/u.test(character) ? surrogateBytes(character) : encodeURIComponent(character)
  return encoded
}

function surrogateBytes(half: string): string {
  const code = half.charCodeAt(0)
  return [0xe0 | (code >> 12), 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f)]
    .map((byte) => `%${byte.toString(16).toUpperCase()}`)
    .join('')
}
