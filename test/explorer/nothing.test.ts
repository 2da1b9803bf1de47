import { expect, test } from 'vitest'
import { NOTHING as SAID } from '../../src/domain/insight/say.js'
import { isNothing, NOTHING } from '../../src/explorer/parts/told.js'

test('the explorer knows an insight that nothing answers by what the engine says', () => {
  expect(NOTHING).toBe(SAID)
  expect(isNothing({ insight: `${SAID}\nNearest: tool ci: CI runs jest` })).toBe(true)
  expect(isNothing({ insight: 'test runner: vitest' })).toBe(false)
})
