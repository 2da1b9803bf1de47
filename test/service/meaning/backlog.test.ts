import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createMetrics } from '../../../src/http/pages/metrics.js'
import { type Backlog, watchBacklog } from '../../../src/service/meaning/backlog.js'
import { openMeaning } from '../../../src/service/meaning/open-meaning.js'
import { meaningMetrics } from '../../../src/service/store-metrics.js'
import { SILENT } from '../../support/silent.js'

const lines: string[] = []
const log = { ...SILENT, info: (_: object, message: string) => void lines.push(message) }
let backlog: Backlog | undefined

afterEach(() => {
  backlog?.stop()
  lines.length = 0
})

/** Watches what is left at each moment of asking, the last figure for ever after. */
function watch(left: readonly (number | Error)[], sayMs: number): { asked: number } {
  const store = {
    asked: 0,
    async unread() {
      const now = left[Math.min(store.asked++, left.length - 1)] ?? 0
      if (now instanceof Error) throw now
      return new Map([
        ['a', now - 1],
        ['b', 1],
      ])
    },
  }
  backlog = watchBacklog(store, log, { askMs: 5, sayMs })
  return store
}

describe('the backlog', () => {
  test('of more than 200 memories is told, and told again only after a while', async () => {
    const store = watch([1_200_000, 900, 201, 200, 1], 60_000)
    await vi.waitFor(() => expect(store.asked).toBeGreaterThan(6), 30_000)
    expect(lines).toEqual(['Reading for meaning: 1,200,000 memories left.'])
    expect(backlog?.unread).toBe(1)
  })

  test('is told again when it is time, and no more once it is small', async () => {
    const store = watch([300, 250, 200, 10], 0)
    await vi.waitFor(() => expect(store.asked).toBeGreaterThan(6), 30_000)
    expect(lines).toEqual([
      'Reading for meaning: 300 memories left.',
      'Reading for meaning: 250 memories left.',
    ])
  })

  test('stands as it was while the store cannot tell', async () => {
    const store = watch([7, new Error('no connection')], 0)
    await vi.waitFor(() => expect(store.asked).toBeGreaterThan(3), 30_000)
    expect(backlog?.unread).toBe(7)
  })

  test('is not asked for after it was stopped', async () => {
    const store = watch([7], 0)
    backlog?.stop()
    await sleep(30)
    expect(store.asked).toBe(1)
  })

  test('E4: is in the metrics, and so are the texts that wait', async () => {
    const meaning = await openMeaning('on', { log })
    if (meaning === undefined) throw new Error('Nothing is read for meaning.')
    watch([42], 0)
    await vi.waitFor(() => expect(backlog?.unread).toBe(42), 30_000)
    const metrics = createMetrics()
    meaningMetrics(metrics, backlog ?? { unread: 0 }, meaning)
    const reading = meaning.encode(['a', 'b', 'c'])
    const text = await metrics.text()
    expect(text).toContain('\nloregraph_meaning_unread 42\n')
    expect(text).toContain('\nloregraph_meaning_waiting 3\n')
    await reading
    expect(await metrics.text()).toContain('\nloregraph_meaning_waiting 0\n')
    await meaning.close()
  })
})
