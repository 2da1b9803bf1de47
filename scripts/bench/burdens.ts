import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { GRAPH } from './service.js'

/** How requests of a burden ended: how often each status, and the longest that a refusal took. */
export interface Ended {
  readonly statuses: Readonly<Record<string, number>>
  readonly refusedMs: number
}

export interface Burdened {
  readonly url: string
  readonly secret: string
}

/** Clients that send a byte a second of an import, and clients that read nothing of their export, for so long. */
export async function slowClients(
  { url, secret }: Burdened,
  counts: { readonly imports: number; readonly exports: number },
  seconds: number,
  isThere: () => void = () => undefined,
): Promise<Ended> {
  const port = Number(new URL(url).port)
  const sockets: Socket[] = []
  const statuses: Record<string, number> = {}
  const started = performance.now()
  let refusedMs = 0
  const begin = (head: string, rest: string) => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined)
    socket.write(`${head} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${secret}\r\n${rest}`)
    sockets.push(socket)
    return socket
  }
  for (let i = 0; i < counts.exports; i++) {
    begin(`GET /v1/graphs/${GRAPH}/events`, '\r\n').pause()
    if (i % 20 === 0) await sleep(10)
  }
  for (let i = 0; i < counts.imports; i++) {
    const rest = 'Content-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n'
    const began = performance.now()
    const socket = begin(`POST /v1/graphs/slow-${i}/events`, rest)
    const dripping = setInterval(() => socket.write('1\r\n \r\n'), 1000)
    socket.once('data', (chunk) => {
      const status = chunk.toString('latin1', 9, 12)
      statuses[status] = (statuses[status] ?? 0) + 1
      if (status === '429' || status === '503') refusedMs = Math.max(refusedMs, performance.now() - began)
    })
    socket.on('close', () => clearInterval(dripping))
    if (i % 20 === 0) await sleep(5)
  }
  isThere()
  await sleep(Math.max(0, seconds * 1000 - (performance.now() - started)))
  const held = sockets.filter(({ destroyed }) => !destroyed).length
  for (const socket of sockets) socket.destroy()
  return { statuses: { ...statuses, held }, refusedMs }
}

/** All of these requests at once, again and again for so long. */
export async function atOnce(
  { url, secret }: Burdened,
  requests: readonly { readonly path: string; readonly method: string; readonly body?: string }[],
  seconds = 0,
): Promise<Ended> {
  const until = performance.now() + seconds * 1000
  const statuses: Record<string, number> = {}
  let refusedMs = 0
  const send = async ({ path, method, body }: (typeof requests)[number]) => {
    const began = performance.now()
    const type = path.endsWith('/events') && method === 'POST' ? 'application/x-ndjson' : 'application/json'
    const headers = {
      Authorization: `Bearer ${secret}`,
      ...(body !== undefined && { 'Content-Type': type }),
    }
    const status = await statusOf(url + path, { method, headers, ...(body !== undefined && { body }) })
    statuses[status] = (statuses[status] ?? 0) + 1
    if (status === 503 || status === 429) refusedMs = Math.max(refusedMs, performance.now() - began)
  }
  do await Promise.all(requests.map(send))
  while (performance.now() < until)
  return { statuses, refusedMs }
}

/** 0 when there was no answer. */
async function statusOf(url: string, init: RequestInit): Promise<number> {
  try {
    const response = await fetch(url, init)
    await response.text()
    return response.status
  } catch {
    return 0
  }
}
