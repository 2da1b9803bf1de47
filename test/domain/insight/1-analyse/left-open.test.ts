import { expect, test } from 'vitest'
import { leftOpen } from '../../../../src/domain/insight/left-open.js'

test.each([
  ['Who renews the certificate?', 1],
  ['speaker: Mia; Really? Since when?', 1],
  ['He asked: "Who renews it?"  ', 1],
  ['It failed again. Who can look at it?', 0.5],
  ['How do we rebuild the index? Run make reindex.', 0],
  ['question: How do we rebuild it?; answer: run make reindex', 0],
  ['See https://example.org/?page=2', 0],
  ['', 0],
])('"%s" leaves %d of it open', (text, share) => expect(leftOpen(text)).toBe(share))

test('a text of nothing but marks takes no longer than another', () => {
  const before = performance.now()
  expect(leftOpen(`${'.'.repeat(65_000)}a ?`)).toBe(1)
  expect(leftOpen(`${'?"'.repeat(32_000)}?`)).toBe(1)
  expect(performance.now() - before).toBeLessThan(100)
})
