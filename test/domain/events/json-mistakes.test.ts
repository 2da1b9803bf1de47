import fc from 'fast-check'
import { expect, test } from 'vitest'
import { scanJson } from '../../../src/domain/events/json-mistakes.js'

function membersOf(value: unknown): number {
  if (value === null || typeof value !== 'object') return 0
  const own = Array.isArray(value) ? 0 : Object.keys(value).length
  return Object.values(value).reduce((sum: number, item) => sum + membersOf(item), own)
}

test('members are counted outside texts, whatever the texts hold', () => {
  const text = fc.oneof(fc.string(), fc.stringMatching(/^["\\:{}[\],u0d]{0,12}$/))
  const value = fc.letrec((tie) => ({
    any: fc.oneof({ maxDepth: 3 }, text, fc.integer(), fc.array(tie('any')), fc.dictionary(text, tie('any'))),
  })).any
  fc.assert(
    fc.property(value, (value) => {
      expect(scanJson(JSON.stringify(value)).members).toBe(membersOf(value))
    }),
    { numRuns: 2000 },
  )
})

test.each([
  ['"\\u0000"', true],
  ['"\\\\u0000"', false],
  ['"\\\\\\u0000"', true],
  ['{"a":"x\\"","b":"\\ud800"}', true],
  ['"\\u00e9"', true],
  ['"\\u1234 \\n \\" \\\\"', false],
])('%s calls for a closer look: %s', (text, expected) => {
  expect(scanJson(text).suspicious).toBe(expected)
})

test.each([
  ['[1e5]', true],
  ['[0.5E5]', true],
  ['"1e5"', false],
  ['[123456789012345]', false],
  ['{"a":-1234567890123456}', true],
  ['[1234567890123456.5]', true],
  ['[0.12345678901234567]', false],
  ['[1,22222222222222,333333333333333,true,false]', false],
  ['"1234567890123456"', false],
])('%s holds a number that may be changed: %s', (text, expected) => {
  expect(scanJson(text).longNumbers).toBe(expected)
})

test('a text of nothing but escapes is gone through once', () => {
  const text = JSON.stringify('\n'.repeat(1_000_000))
  const start = performance.now()
  scanJson(text)
  expect(performance.now() - start).toBeLessThan(2000)
})
