import { type IncomingMessage, request } from 'node:http'
import { expect } from 'vitest'

/** A server-sent event as it came: a comment has no name. */
export interface FeedEvent {
  readonly event: string
  readonly id: string | undefined
  readonly data: string
}

/** A reader of a feed that notes everything in order. */
export interface Feed {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly events: readonly FeedEvent[]
  /** The places of the statements, in the order in which they came. */
  readonly places: readonly number[]
  /** Resolves when the service has ended the answer, or the connection. */
  readonly ended: Promise<void>
  /** Resolves when so many events, comments apart, have come. */
  until(count: number): Promise<readonly FeedEvent[]>
  pause(): void
  /** Ends the connection at once. */
  kill(): void
}

export interface FeedRequest {
  readonly port: number
  readonly secret: string
  readonly graph: string
  readonly query?: string
  readonly headers?: Readonly<Record<string, string>>
}

export function openFeed({ port, secret, graph, query = '', headers }: FeedRequest): Promise<Feed> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        agent: false,
        host: '127.0.0.1',
        port,
        path: `/v1/graphs/${graph}/feed${query}`,
        headers: { Authorization: `Bearer ${secret}`, Accept: 'text/event-stream', ...headers },
      },
      (incoming) => {
        const all: FeedEvent[] = []
        let rest = ''
        incoming.setEncoding('utf8')
        incoming.on('data', (chunk: string) => {
          const parts = (rest + chunk).split('\n\n')
          rest = parts.pop() ?? ''
          all.push(...parts.map(parse))
        })
        incoming.on('error', () => {})
        const named = () => all.filter(({ event }) => event !== '')
        resolve({
          status: incoming.statusCode ?? 0,
          headers: incoming.headers,
          events: all,
          get places() {
            return all.flatMap(({ event, id }) => (event === 'statement' ? Number(id) : []))
          },
          ended: new Promise((done) => incoming.once('close', done)),
          async until(count) {
            await expect.poll(() => named().length, { timeout: 20_000 }).toBeGreaterThanOrEqual(count)
            return named()
          },
          pause: () => void incoming.pause(),
          kill: () => void outgoing.destroy(),
        })
      },
    )
    outgoing.on('error', reject)
    outgoing.end()
  })
}

function parse(text: string): FeedEvent {
  const field = (name: string) =>
    text
      .split('\n')
      .find((line) => line.startsWith(`${name}: `))
      ?.slice(name.length + 2)
  return { event: field('event') ?? '', id: field('id'), data: field('data') ?? '' }
}
