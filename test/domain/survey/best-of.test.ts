import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bestOf } from '../../../src/domain/survey/best-of.js'

test('the best few are the beginning of all in order', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(50)), fc.nat(60), (items, most) => {
      const byValue = (a: number, b: number) => a - b
      expect(bestOf(items, most, byValue)).toEqual([...items].sort(byValue).slice(0, most))
    }),
  )
})
