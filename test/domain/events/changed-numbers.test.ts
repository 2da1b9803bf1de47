import fc from 'fast-check'
import { expect, test } from 'vitest'
import { changedNumbers, scanJson } from '../../../src/domain/events/json-mistakes.js'

const FITS = 'must be a number that fits a double; send it as text'

test.each([
  ['1234567890123456789', 'must not change, and would come back as 1234567890123456800; send it as text'],
  ['-1234567890123456789', 'must not change, and would come back as -1234567890123456800; send it as text'],
  ['9007199254740993', 'must not change, and would come back as 9007199254740992; send it as text'],
  ['9007199254740993.0', 'must not change, and would come back as 9007199254740992; send it as text'],
  ['9.007199254740993e15', 'must not change, and would come back as 9007199254740992; send it as text'],
  ['1e400', FITS],
  ['1e-400', FITS],
  ['9'.repeat(400), FITS],
])('%s is refused: %s', (written, message) => {
  expect(changedNumbers(`{"a":[0,{"b":${written}}]}`)).toEqual([{ path: '/a/1/b', message }])
})

test.each([
  '9007199254740992',
  '1234567890123456800',
  '123456789012345680000',
  '1e300',
  '1.5E+3',
  '100e-2',
  '0e999',
  '-0',
  '-0.0',
  '0.1234567890123456789',
  '12345678901234567.5',
])('%s is kept, or is a fraction, which may be rounded', (written) => {
  expect(changedNumbers(`[${written}]`)).toEqual([])
})

test('what comes back is as it was written, unless it is refused, whatever the number', () => {
  const digits = fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n })
  fc.assert(
    fc.property(digits, fc.string(), (whole, key) => {
      const text = `{${JSON.stringify(key)}:${whole}}`
      const isSuspected = scanJson(text).longNumbers
      const isRefused = isSuspected && changedNumbers(text).length > 0
      const back = BigInt(String(Number(whole)))
      expect(isRefused).toBe(back !== whole)
    }),
    { numRuns: 2_000 },
  )
})

test('a text of nothing but numbers is gone through in a moment', () => {
  const text = `[${'1,'.repeat(120_000)}1e5]`
  const start = performance.now()
  expect(changedNumbers(text)).toEqual([])
  expect(changedNumbers(`[0.${'0'.repeat(1_000_000)}1e-5]`)).toHaveLength(1)
  expect(performance.now() - start).toBeLessThan(2_000)
})
