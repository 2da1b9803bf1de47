import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** How one request went; `status` 0 is a connection that broke. */
export interface Sample {
  readonly status: number
  readonly ms: number
  readonly retryAfter: boolean
}

/** The service closes what was idle for five seconds, and says so: what is sent just then is lost. */
const IDLE_MS = 4_000

/**
 * Asks the same thing over and over on connections that it keeps. Written on bare sockets: a client that costs more than
 * the service could not ask five times what the service can answer.
 */
export class Asker {
  readonly #port: number
  readonly #request: string
  readonly #idle: { readonly socket: Socket; readonly since: number }[] = []
  readonly #all = new Set<Socket>()

  constructor(port: number, lines: readonly string[], body = '') {
    this.#port = port
    const length = body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]
    this.#request = `${[...lines, 'Host: 127.0.0.1', ...length].join('\r\n')}\r\n\r\n${body}`
  }

  get connections(): number {
    return this.#all.size
  }

  ask(): Promise<Sample> {
    const socket = this.#takeIdle() ?? this.#connect()
    const started = performance.now()
    return new Promise((resolve) => {
      let text = ''
      const done = (status: number) => {
        socket.off('data', take).off('close', lose)
        resolve({ status, ms: performance.now() - started, retryAfter: /\r\nretry-after: \d/i.test(text) })
      }
      const lose = () => done(0)
      const take = (chunk: string) => {
        text += chunk
        const end = text.indexOf('\r\n\r\n')
        if (end < 0) return
        const length = /\r\ncontent-length: (\d+)/i.exec(text)?.[1] ?? 0
        if (text.length < end + 4 + Number(length)) return
        this.#idle.push({ socket, since: performance.now() })
        done(Number(text.slice(9, 12)))
      }
      socket.on('data', take).on('close', lose)
      socket.write(this.#request)
    })
  }

  close(): void {
    for (const socket of this.#all) socket.destroy()
  }

  /** The one that was idle for the shortest time: if that was too long, all others were so for longer. */
  #takeIdle(): Socket | undefined {
    const last = this.#idle.pop()
    if (last === undefined || performance.now() - last.since < IDLE_MS) return last?.socket
    for (const { socket } of [last, ...this.#idle.splice(0)]) socket.destroy()
    return undefined
  }

  #connect(): Socket {
    const socket = connect(this.#port, '127.0.0.1').setEncoding('latin1').setNoDelay()
    this.#all.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => {
      this.#all.delete(socket)
      const at = this.#idle.findIndex((one) => one.socket === socket)
      if (at >= 0) this.#idle.splice(at, 1)
    })
    return socket
  }
}

/** As many callers as that, each asking again when it has its answer. */
export async function closedLoop(asker: Asker, callers: number, seconds: number): Promise<Sample[]> {
  const samples: Sample[] = []
  const until = performance.now() + seconds * 1000
  const caller = async () => {
    while (performance.now() < until) samples.push(await asker.ask())
  }
  await Promise.all(Array.from({ length: callers }, caller))
  return samples
}

/** So many a second, whatever becomes of them. */
export async function openLoop(asker: Asker, perSecond: number, seconds: number): Promise<Sample[]> {
  const asked: Promise<Sample>[] = []
  const started = performance.now()
  for (let now = started; now - started < seconds * 1000; now = performance.now()) {
    const due = ((now - started) / 1000) * perSecond
    while (asked.length < due) asked.push(asker.ask())
    await sleep(1)
  }
  return Promise.all(asked)
}

export function percentile(samples: readonly Sample[], share: number): number {
  const sorted = samples.map(({ ms }) => ms).sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0
}
