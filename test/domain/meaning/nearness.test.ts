import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  CODE_WORDS,
  cosine,
  DIMENSIONS,
  toBytes,
  toCode,
  writeCode,
} from '../../../src/domain/meaning/nearness.js'
import { hammingDistance } from '../../support/hamming.js'

const vector = fc.float32Array({
  minLength: DIMENSIONS,
  maxLength: DIMENSIONS,
  min: -1,
  max: 1,
  noNaN: true,
})
const bytes = fc.int8Array({ minLength: DIMENSIONS, maxLength: DIMENSIONS, min: -127, max: 127 })

describe('bytes', () => {
  test('the largest component is 127, and none is off by more than half a step', () => {
    fc.assert(
      fc.property(vector, (components) => {
        const largest = Math.max(...components.map(Math.abs))
        fc.pre(largest > 1e-6)
        const out = toBytes(components)
        expect(Math.max(...out.map(Math.abs))).toBe(127)
        for (const [i, byte] of out.entries())
          expect(Math.abs(byte - ((components[i] ?? 0) * 127) / largest)).toBeLessThanOrEqual(0.5 + 1e-6)
      }),
      { numRuns: 30 },
    )
  })

  test('a vector without direction stays so', () => {
    const nothing = toBytes(new Float32Array(DIMENSIONS))
    expect(nothing.every((byte) => byte === 0)).toBe(true)
    expect(cosine(nothing, nothing)).toBe(0)
  })
})

describe('cosine', () => {
  test('1 with itself, -1 with its opposite, the same both ways, never beyond', () => {
    fc.assert(
      fc.property(bytes, bytes, (a, b) => {
        fc.pre(a.some((byte) => byte !== 0))
        expect(cosine(a, a)).toBeCloseTo(1, 12)
        expect(
          cosine(
            a,
            a.map((byte) => -byte),
          ),
        ).toBeCloseTo(-1, 12)
        expect(cosine(a, b)).toBe(cosine(b, a))
        expect(Math.abs(cosine(a, b))).toBeLessThanOrEqual(1 + 1e-12)
      }),
    )
  })
})

describe('codes', () => {
  test('the distance of two codes is how many signs differ', () => {
    fc.assert(
      fc.property(bytes, bytes, (a, b) => {
        const differ = a.filter((byte, i) => byte < 0 !== (b[i] ?? 0) < 0).length
        expect(hammingDistance(toCode(a), toCode(b))).toBe(differ)
      }),
    )
  })

  test('a code written among others is that code and touches no other', () => {
    const codes = new Uint32Array(3 * CODE_WORDS)
    const signs = Int8Array.from({ length: DIMENSIONS }, (_, i) => (i % 3 === 0 ? -5 : 5))
    writeCode(signs, codes, 1)
    expect(codes.subarray(CODE_WORDS, 2 * CODE_WORDS)).toEqual(toCode(signs))
    expect([...codes.subarray(0, CODE_WORDS), ...codes.subarray(2 * CODE_WORDS)].every((w) => w === 0)).toBe(
      true,
    )
  })
})
