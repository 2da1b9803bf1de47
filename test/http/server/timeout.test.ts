import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import pino from 'pino'
import { afterEach, expect, test } from 'vitest'
import { createListener, LIMITS } from '../../../src/http/server.js'

const TIMEOUT_MS = 200
const log = pino({ level: 'silent' })
const started: ReturnType<typeof createListener>[] = []

async function listening(listener: RequestListener): Promise<number> {
  const own = createListener({ listener, abandon: () => {} }, log, { ...LIMITS, timeout: TIMEOUT_MS })
  started.push(own)
  own.server.listen(0, '127.0.0.1')
  await once(own.server, 'listening')
  return (own.server.address() as AddressInfo).port
}

afterEach(async () => {
  for (const { server } of started.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

test('an answer that takes longer than a connection may be still is given, whole or in pieces', async () => {
  const port = await listening(async (req, res) => {
    await sleep(3 * TIMEOUT_MS)
    if (req.url === '/pieces') {
      res.write('at ')
      await sleep(3 * TIMEOUT_MS)
    }
    res.end('last')
  })
  const answers = ['/', '/pieces'].map(async (path) =>
    (await fetch(`http://127.0.0.1:${port}${path}`)).text(),
  )
  expect(await Promise.all(answers)).toEqual(['last', 'at last'])
})

test('a client that does not read is closed, and so is one that sends nothing', async () => {
  const port = await listening((_, res) => res.end('x'.repeat(64_000_000)))
  const deaf = connect(port, '127.0.0.1')
  deaf.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  deaf.pause()
  const mute = connect(port, '127.0.0.1')
  const begun = performance.now()
  await once(mute, 'close')
  expect(performance.now() - begun).toBeGreaterThan(TIMEOUT_MS / 2)
  const { server } = started.at(-1) ?? {}
  const open = () => new Promise<number>((resolve) => server?.getConnections((_, count) => resolve(count)))
  await expect.poll(open, { timeout: 30_000 }).toBe(0)
  deaf.destroy()
})
