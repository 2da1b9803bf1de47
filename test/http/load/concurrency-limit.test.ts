import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { ConcurrencyLimit } from '../../../src/http/load/concurrency-limit.js'

test('a key has few under way at once, whatever fails; another has its own at once', async () => {
  const limit = new ConcurrencyLimit(2)
  const underWay: Record<string, number> = { a: 0, b: 0 }
  const most: Record<string, number> = { a: 0, b: 0 }
  const order: string[] = []
  const work = (key: string, fails = false) =>
    limit
      .run(key, async () => {
        underWay[key] = (underWay[key] ?? 0) + 1
        most[key] = Math.max(most[key] ?? 0, underWay[key])
        order.push(key)
        await turn()
        underWay[key]--
        if (fails) throw new Error('cannot be done')
        return key
      })
      .catch(() => 'failed')
  const all = Array.from({ length: 40 }, (_, i) => work('a', i % 3 === 0))
  expect([limit.waiting, limit.expected('a').since < performance.now()]).toEqual([38, true])
  const done = await Promise.all([...all, work('b')])
  expect(done.filter((one) => one === 'failed')).toHaveLength(14)
  expect(done.at(-1)).toBe('b')
  expect(most).toEqual({ a: 2, b: 1 })
  expect(order.indexOf('b')).toBe(2)
  expect([limit.waiting, limit.expected('a').ms]).toEqual([0, 0])
})
