import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Failure } from '../../src/domain/failure.js'
import { isMemoryId, MEMORY_ID, nextMemoryId } from '../../src/domain/ids.js'

const zeros = new Uint8Array(16)
const ones = new Uint8Array(16).fill(255)
const random = fc.uint8Array({ minLength: 16, maxLength: 16 })
const NOW = Date.UTC(2026, 0, 1)

describe('the form of an id', () => {
  test('is mem_ and a ULID', () => {
    expect(nextMemoryId(undefined, 1469918176385, zeros)).toBe('mem_01ARYZ6S410000000000000000')
    expect(nextMemoryId(undefined, 0, ones)).toBe('mem_0000000000ZZZZZZZZZZZZZZZZ')
  })

  test('holds at any time with any randomness', () => {
    const time = fc.oneof(
      fc.double(),
      fc.integer(),
      fc.date().map(Number),
      fc.constant(Number.MAX_SAFE_INTEGER),
    )
    fc.assert(
      fc.property(time, fc.uint8Array({ maxLength: 20 }), (now, bytes) => {
        expect(nextMemoryId(undefined, now, bytes)).toMatch(MEMORY_ID)
      }),
    )
  })

  test('sorts by time', () => {
    const time = fc.integer({ min: 0, max: 2 ** 48 - 1 })
    fc.assert(
      fc.property(time, time, random, random, (a, b, x, y) => {
        fc.pre(a < b)
        expect(nextMemoryId(undefined, a, x) < nextMemoryId(undefined, b, y)).toBe(true)
      }),
    )
  })

  test.each([
    'mem_01ARZ3NDEKTSV4RRFFQ69G5FA', // one short
    'mem_01ARZ3NDEKTSV4RRFFQ69G5FAVV', // one long
    'mem_81ARZ3NDEKTSV4RRFFQ69G5FAV', // beyond 128 bits
    'mem_01ARZ3NDEKTSV4RRFFQ69G5FAI', // a letter that the alphabet leaves out
    'mem_01arz3ndektsv4rrffq69g5fav', // lower case
    'MEM_01ARZ3NDEKTSV4RRFFQ69G5FAV',
    '01ARZ3NDEKTSV4RRFFQ69G5FAV',
    'mem_01ARZ3NDEKTSV4RRFFQ69G5FAV\n',
    'skill:mem_01ARZ3NDEKTSV4RRFFQ69G5FAV',
    'mem_01ARZ3NDEKTSV4RRFFQ69G5FAV:x',
    '',
  ])('%j is not a memory id', (text) => expect(isMemoryId(text)).toBe(false))

  test('nothing with a colon is a memory id', () => {
    fc.assert(fc.property(fc.string(), fc.string(), (type, name) => !isMemoryId(`${type}:${name}`)))
  })
})

describe('the next id', () => {
  test('grows whatever the clock does', () => {
    const clock = fc.oneof(
      fc.integer({ min: NOW - 5, max: NOW + 5 }),
      fc.integer({ min: -10, max: NOW * 2 }),
      fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 2 ** 48, 8.64e15),
    )
    fc.assert(
      fc.property(fc.array(fc.tuple(clock, random), { maxLength: 50 }), (ticks) => {
        let previous: string | undefined
        for (const [now, bytes] of ticks) {
          const next = nextMemoryId(previous, now, bytes)
          expect(next).toMatch(MEMORY_ID)
          if (previous !== undefined) expect(next > previous).toBe(true)
          previous = next
        }
      }),
    )
  })

  test('counts up by one when the clock stands still', () => {
    const first = nextMemoryId(undefined, NOW, zeros)
    expect(nextMemoryId(first, NOW, ones)).toBe(`${first.slice(0, -1)}1`)
  })

  test('counts up by one when the clock goes back', () => {
    const first = nextMemoryId(undefined, NOW, zeros)
    expect(nextMemoryId(first, NOW - 60_000, ones)).toBe(`${first.slice(0, -1)}1`)
  })

  test('follows the clock again once it is ahead', () => {
    const first = nextMemoryId(undefined, NOW, ones)
    expect(nextMemoryId(first, NOW + 1, zeros)).toBe(nextMemoryId(undefined, NOW + 1, zeros))
  })

  test('carries over from digit to digit, and from the random part into the time', () => {
    expect(nextMemoryId('mem_01ARYZ6S41000000000000000Z', 0, zeros)).toBe('mem_01ARYZ6S410000000000000010')
    expect(nextMemoryId('mem_01ARYZ6S41ZZZZZZZZZZZZZZZZ', 0, zeros)).toBe('mem_01ARYZ6S420000000000000000')
    expect(nextMemoryId('mem_01ARYZ6S4ZZZZZZZZZZZZZZZZZ', 0, zeros)).toBe('mem_01ARYZ6S500000000000000000')
  })

  test('is refused after the last possible one, never malformed', () => {
    const last = `mem_7${'Z'.repeat(25)}`
    expect(isMemoryId(last)).toBe(true)
    expect(() => nextMemoryId(last, NOW, zeros)).toThrow(Failure)
  })

  test('ten thousand ids of one millisecond are distinct and in order', () => {
    const ids: string[] = []
    for (let i = 0; i < 10_000; i++) ids.push(nextMemoryId(ids.at(-1), NOW, ones))
    expect(new Set(ids).size).toBe(ids.length)
    expect([...ids].sort()).toEqual(ids)
  })
})
