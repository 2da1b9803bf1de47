import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { inverseDocumentFrequency, termScore } from '../../../src/domain/search/bm25.js'

const count = fc.integer({ min: 1, max: 1_000_000 })
const occurrences = fc.integer({ min: 1, max: 255 })
const length = fc.integer({ min: 1, max: 20_000 })
const average = fc.double({ min: 0, max: 20_000, noNaN: true })
const idf = fc.double({ min: 0.001, max: 20, noNaN: true })

describe('what a term tells', () => {
  test('the fewer memories hold it, the more', () => {
    fc.assert(
      fc.property(count, fc.nat(), (all, n) => {
        const holding = n % all
        expect(inverseDocumentFrequency(all, holding)).toBeGreaterThan(
          inverseDocumentFrequency(all, holding + 1),
        )
      }),
    )
  })

  test('is more than nothing, even when every memory holds it', () => {
    fc.assert(
      fc.property(count, (all) => {
        expect(inverseDocumentFrequency(all, all)).toBeGreaterThan(0)
        expect(inverseDocumentFrequency(all, 0)).toBeLessThan(Number.POSITIVE_INFINITY)
      }),
    )
  })

  test('grows with the memories that do not hold it', () => {
    fc.assert(
      fc.property(count, fc.nat(), (all, n) => {
        const holding = n % (all + 1)
        expect(inverseDocumentFrequency(all + 1, holding)).toBeGreaterThan(
          inverseDocumentFrequency(all, holding),
        )
      }),
    )
  })

  test('is a number for an empty graph', () => {
    expect(inverseDocumentFrequency(0, 0)).toBeCloseTo(Math.log(2), 12)
  })
})

describe('what a term adds to a score', () => {
  test('is its idf for one occurrence in a memory of average length', () => {
    expect(termScore(3, 1, 20, 20)).toBeCloseTo(3, 12)
  })

  test('is nothing when it does not occur', () => {
    expect(termScore(3, 0, 20, 20)).toBe(0)
  })

  test('another occurrence adds to it, and less than the one before', () => {
    fc.assert(
      fc.property(idf, fc.integer({ min: 1, max: 50 }), length, average, (weight, times, size, mean) => {
        const [once = 0, twice = 0, thrice = 0] = [0, 1, 2].map((more) =>
          termScore(weight, times + more, size, mean),
        )
        expect(twice).toBeGreaterThan(once)
        expect(thrice - twice).toBeLessThan(twice - once)
      }),
    )
  })

  test('a longer memory gets less for the same', () => {
    fc.assert(
      fc.property(idf, occurrences, length, average, (weight, times, size, mean) => {
        expect(termScore(weight, times, size + 1, mean)).toBeLessThan(termScore(weight, times, size, mean))
      }),
    )
  })

  test('a rarer term adds more', () => {
    fc.assert(
      fc.property(idf, occurrences, length, average, (weight, times, size, mean) => {
        expect(termScore(weight * 1.01, times, size, mean)).toBeGreaterThan(
          termScore(weight, times, size, mean),
        )
      }),
    )
  })

  test('is above zero and below a bound that no repetition reaches', () => {
    fc.assert(
      fc.property(idf, occurrences, length, average, (weight, times, size, mean) => {
        const score = termScore(weight, times, size, mean)
        expect(score).toBeGreaterThan(0)
        expect(score).toBeLessThan(weight * 1.9)
      }),
    )
  })
})
