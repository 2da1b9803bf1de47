import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../support/folder.js'
import { expectBelow } from '../support/quick.js'
import { Asker, closedLoop, percentile } from './support/load.js'
import { SECRET, startService } from './support/service.js'
import { tell } from './support/tell.js'

const HEADERS = 500
const BODIES = 50
/** Ten seconds for headers and thirty for a body, and how late a shared machine may be about it. */
const [HEADERS_BY_MS, BODIES_BY_MS] = [20_000, 45_000]
/** More than Node has wait unless it is told. */
const CONNECTIONS = 1_000

describe('B18: slow clients', () => {
  test(`B18: ${HEADERS} that send a byte of a header a second, and ${BODIES} of a body: cut off in time, and others do not notice`, async () => {
    const service = startService(temporaryFolder(), [], { LOREGRAPH_RATE_LIMIT: 'off' })
    const port = Number(new URL(await service.url).port)
    const asker = new Asker(port, ['GET /v1/graphs HTTP/1.1', `Authorization: Bearer ${SECRET}`])
    await closedLoop(asker, 4, 1)
    const post = `POST /v1/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${SECRET}\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n`
    const round = async () => {
      const alone = await closedLoop(asker, 4, 4)
      const headers = Array.from({ length: HEADERS }, () =>
        drip(port, 'GET /livez HTTP/1.1\r\nHost: localhost\r\nA: '),
      )
      const bodies = Array.from({ length: BODIES }, () => drip(port, post))
      const beside = await closedLoop(asker, 4, 4)
      const ends = await Promise.all([Promise.all(headers), Promise.all(bodies)])
      const [lastHeader = 0, lastBody = 0] = ends.map((list) => Math.max(...list.map(({ ms }) => ms)))
      const [p99, p99Alone] = [percentile(beside, 0.99), percentile(alone, 0.99)]
      tell(
        'B18',
        `others' p99 ${p99Alone.toFixed(1)} ms alone, ${p99.toFixed(1)} ms beside; headers cut off by ${seconds(lastHeader)}, bodies by ${seconds(lastBody)}`,
      )
      for (const { text } of ends.flat()) expect(text).toMatch(/^HTTP\/1\.1 408 /)
      expect(lastHeader).toBeLessThan(HEADERS_BY_MS)
      expect(lastBody).toBeLessThan(BODIES_BY_MS)
      expect(beside.filter(({ status }) => status !== 200)).toEqual([])
      return p99 - 2 * p99Alone
    }
    // A few milliseconds are within what a shared machine does to anybody.
    await expectBelow(20, round, 'p99 of others, beyond twice that alone')
    asker.close()
    expect((await service.stop()).code).toBe(0)
  })
})

test('B18: a thousand connections that come while the service is busy are taken at once, not after a second', async () => {
  const service = startService(temporaryFolder())
  const port = Number(new URL(await service.url).port)
  await expectBelow(900, async () => {
    service.child.kill('SIGSTOP')
    const began = performance.now()
    const sockets = Array.from({ length: CONNECTIONS }, () =>
      connect(port, '127.0.0.1').on('error', () => {}),
    )
    await Promise.all(sockets.map((socket) => once(socket, 'connect')))
    const took = performance.now() - began
    service.child.kill('SIGCONT')
    for (const socket of sockets) socket.destroy()
    return took
  })
  expect((await service.stop()).code).toBe(0)
})

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}

/** A byte a second until the service has had enough. */
function drip(port: number, start: string): Promise<{ text: string; ms: number }> {
  return new Promise((resolve) => {
    const began = performance.now()
    const socket = connect(port, '127.0.0.1').setEncoding('latin1')
    let text = ''
    const timer = setInterval(() => socket.write('a'), 1_000)
    socket.on('data', (chunk: string) => {
      text += chunk
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      clearInterval(timer)
      resolve({ text, ms: performance.now() - began })
    })
    socket.write(start)
  })
}
