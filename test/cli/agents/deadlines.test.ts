import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { deadlinesOf } from '../../../src/cli/agents/mcp.js'

test('what is begun is ended at its deadline, and nothing of it is kept', async () => {
  const deadlines = deadlinesOf(20)
  const signals = Array.from({ length: 1_000 }, () => deadlines.begin())
  expect(deadlines.underWay.size).toBe(1_000)
  expect(signals.some(({ aborted }) => aborted)).toBe(false)
  await sleep(200)
  expect(deadlines.underWay.size).toBe(0)
  expect(signals.every(({ reason }) => reason.name === 'TimeoutError')).toBe(true)
})

test('all is ended at once when everything stops', () => {
  const deadlines = deadlinesOf(60_000)
  const [one, other] = [deadlines.begin(), deadlines.begin()]
  deadlines.stop()
  expect([one.aborted, other.aborted, deadlines.underWay.size]).toEqual([true, true, 0])
  expect(one.reason.name).toBe('AbortError')
})
