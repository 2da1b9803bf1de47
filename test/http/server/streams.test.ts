import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LIMITS } from '../../../src/http/server.js'
import { exportOf, NDJSON } from '../../support/ndjson.js'
import { parseAnswer } from '../../support/raw.js'
import { startTestServer, type TestServer } from '../../support/server.js'

const MIB = 1024 * 1024

describe('bodies that are read as a stream', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer({
      limits: { ...LIMITS, headersTimeout: 400, requestTimeout: 600, timeout: 700 },
    })
    await server.call('/v1/events', { json: { graph_id: 'g', event_kind: 'fact', payload: { text: 'x' } } })
  })
  afterAll(() => server.stop())

  test('an upload may take longer than other requests, and pause', async () => {
    const text = await (await server.fetch('/v1/graphs/g/events')).text()
    const { status } = await upload('slow', text, async (write) => {
      const third = Math.ceil(text.length / 3)
      for (let at = 0; at < text.length; at += third) {
        write(text.slice(at, at + third))
        await sleep(800)
      }
    })
    expect(status).toBe(201)
    expect((await server.fetch('/v1/contexts/slow')).status).toBe(200)
  })

  test('a mistake in an early line is answered while the rest is still to come', async () => {
    const { status, body } = await upload('early', 'x'.repeat(50 * MIB), async (write) => write('nonsense\n'))
    expect(status).toBe(400)
    expect(JSON.parse(body).code).toBe('invalid_import')
    expect((await server.fetch('/v1/contexts/early')).status).toBe(404)
  })

  function upload(graph: string, text: string, send: (write: (part: string) => void) => Promise<void>) {
    return new Promise<ReturnType<typeof parseAnswer>>((resolve) => {
      const socket = connect(server.port, '127.0.0.1')
      let answer = ''
      socket.on('data', (data) => {
        answer += data.toString('latin1')
      })
      socket.on('error', () => {})
      socket.on('close', () => resolve(parseAnswer(answer)))
      socket.write(
        `POST /v1/graphs/${graph}/events HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${server.secret}\r\nContent-Type: ${NDJSON}\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n`,
      )
      void send((part) => socket.write(part))
    })
  }
})

describe('answers that are sent as a stream', () => {
  let made = 0
  const piece = `${'x'.repeat(65_535)}\n`
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer({
      handlers: {
        async exportGraph() {
          made = 0
          return {
            status: 200,
            body: (async function* () {
              for (; made < 2000; made++) yield piece
            })(),
          }
        },
      },
    })
  })
  afterAll(() => server.stop())

  test('nothing is made that the caller does not take; 125 MiB pass through little memory', async () => {
    const socket = connect(server.port, '127.0.0.1')
    socket.pause()
    socket.write(
      `GET /v1/graphs/g/events HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${server.secret}\r\n\r\n`,
    )
    expect(await settled(() => made)).toBeLessThan(400)
    const before = process.memoryUsage().rss
    let peak = 0
    let bytes = 0
    socket.on('data', (data) => {
      bytes += data.length
      peak = Math.max(peak, process.memoryUsage().rss)
    })
    socket.resume()
    await new Promise((resolve) => socket.on('close', resolve))
    expect(bytes).toBeGreaterThan(2000 * piece.length)
    expect(peak - before).toBeLessThan(100 * MIB)
  })

  test('a caller who goes away ends it, and is no error', async () => {
    const controller = new AbortController()
    const response = await server.fetch('/v1/graphs/g/events', { signal: controller.signal })
    await response.body?.getReader().read()
    controller.abort()
    expect(await settled(() => made)).toBeLessThan(2000)
    expect(server.lines.filter((line) => Number(line['level']) >= 50)).toEqual([])
    expect(server.lines).toContainEqual(expect.objectContaining({ route: 'exportGraph', aborted: true }))
  })
})

/** The count when it has begun and stands still. */
async function settled(count: () => number): Promise<number> {
  for (let before = -1; count() === 0 || count() !== before; await sleep(200)) before = count()
  return count()
}

test('an export of many lines passes through with bounded memory and comes back whole', async () => {
  const server = await startTestServer()
  try {
    const line = (i: number) => {
      const id = `mem_01KJPZ6C3RS6ACV2ZX${String(i).padStart(8, '0')}`
      const at = '2026-03-02T09:30:00.000Z'
      return `{"event_kind":"fact","payload":{"text":"fact number ${i}"},"context_id":"skill:s${i % 100}","source":"agent","timestamp":"${at}","memory_id":"${id}","recorded_at":"${at}","times_seen":1,"place":${i + 1}}`
    }
    const text = exportOf(Array.from({ length: 10_000 }, (_, i) => line(i)))
    const init = { method: 'POST', body: text, headers: { 'Content-Type': NDJSON } }
    const answer = await server.call('/v1/graphs/many/events', init)
    expect([answer.status, answer.body]).toEqual([
      201,
      { graph_id: 'many', events: 10_000, memories: 10_000 },
    ])
    const back = await (await server.fetch('/v1/graphs/many/events')).text()
    expect(back.split('\n').slice(1)).toEqual(text.split('\n').slice(1))
  } finally {
    await server.stop()
  }
})
