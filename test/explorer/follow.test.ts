import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { createClient } from '../../src/client/index.js'
import { type Connection, followGraph } from '../../src/explorer/state/follow.js'

afterEach(() => vi.useRealTimers())

test('a feed of which nothing but the head comes is not live for ever', async () => {
  let asked = 0
  const proxy = createServer((req, res) => {
    if (!req.url?.includes('/feed')) {
      res.setHeader('Content-Type', 'application/json')
      return res.end('{"place":0}')
    }
    asked++
    res.setHeader('Content-Type', 'text/event-stream')
    res.flushHeaders()
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const { port } = proxy.address() as AddressInfo
  const client = createClient({
    baseUrl: `http://127.0.0.1:${port}`,
    secret: 'a-secret-of-more-than-32-characters',
  })
  const seen: Connection[] = []
  const over = new AbortController()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const following = followGraph(
    client,
    'g',
    { connection: (now) => seen.push(now), changed() {} },
    over.signal,
  )
  await vi.waitUntil(() => seen.includes('live'), { timeout: 30_000 })
  await vi.advanceTimersByTimeAsync(60_000)
  await vi.waitUntil(() => asked > 1, { timeout: 30_000 })
  expect(seen.slice(0, 2)).toEqual(['live', 'lost'])
  over.abort()
  await vi.advanceTimersByTimeAsync(60_000)
  await following
  proxy.closeAllConnections()
  proxy.close()
})
