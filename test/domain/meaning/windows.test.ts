import { describe, expect, test } from 'vitest'
import { mostTokens, windowsOf } from '../../../src/domain/meaning/encoder.js'

const SIZE = 96

describe('windows', () => {
  test.each([2, 3, 95, 96])('%d tokens are one window', (length) => {
    const ids = idsOf(length)
    expect(windowsOf(ids, SIZE)).toEqual([ids])
  })

  test.each([
    [97, 2],
    [174, 2],
    [175, 3],
    [252, 3],
    [253, 4],
    [330, 4],
  ])('%d tokens are %d windows: all are read, 16 twice, and both ends are marked', (length, count) => {
    const ids = idsOf(length)
    const windows = windowsOf(ids, SIZE)
    expect(windows).toHaveLength(count)
    const inner = windows.map((window) => window.slice(1, -1))
    expect([...(inner[0] ?? []), ...inner.slice(1).flatMap((window) => window.slice(16))]).toEqual(
      ids.slice(1, -1),
    )
    for (const window of windows) {
      expect(window.length).toBeLessThanOrEqual(SIZE)
      expect([window.at(0), window.at(-1)]).toEqual([ids.at(0), ids.at(-1)])
    }
  })

  test('the most that is read fills the last window', () => {
    expect(windowsOf(idsOf(mostTokens(SIZE)), SIZE).map((window) => window.length)).toEqual([96, 96, 96, 96])
  })
})

function idsOf(length: number): number[] {
  return Array.from({ length }, (_, i) => 1000 + i)
}
