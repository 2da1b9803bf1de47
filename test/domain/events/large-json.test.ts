import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseLargeJson, RepeatedMember, TooDeep } from '../../../src/domain/events/large-json.js'
import type { Json } from '../../../src/domain/model.js'
import { runsOf } from '../../support/runs.js'

/** Pieces so short that everything is taken apart. */
function parsed(text: string, pieceBytes = 4, mostLevels = 64): Json {
  const parsing = parseLargeJson(Buffer.from(text), mostLevels, undefined, pieceBytes)
  for (;;) {
    const { done, value } = parsing.next()
    if (done === true) return value
  }
}

const spaced = (text: string, space: string) =>
  text.replace(/[[\]{},:]/g, (mark) => `${space}${mark}${space}`)

describe('a long JSON text, parsed in pieces', () => {
  test('has the value that it has when it is parsed at once', () => {
    fc.assert(
      fc.property(fc.json(), fc.integer({ min: 0, max: 40 }), (text, pieceBytes) => {
        expect(parsed(text, pieceBytes)).toEqual(JSON.parse(text))
        expect(parsed(JSON.stringify(JSON.parse(text), null, 2), pieceBytes)).toEqual(JSON.parse(text))
      }),
      { numRuns: runsOf({ quick: 300, full: 3000 }) },
    )
  })

  test('is refused when, and only when, it is not JSON', () => {
    const marks = fc.array(fc.constantFrom('[', ']', '{', '}', ',', ':', '"a"', '"\\""', '1', 'null', ' '), {
      maxLength: 12,
    })
    const broken = fc.tuple(fc.json(), fc.nat(), fc.constantFrom(',', ']', '}', '"', '', ' ,', ':', '\\'))
    const isJson = (text: string) => {
      try {
        JSON.parse(text)
        return true
      } catch {
        return false
      }
    }
    const sameVerdict = (text: string, pieceBytes: number) => {
      try {
        parsed(text, pieceBytes)
      } catch (error) {
        if (error instanceof RepeatedMember) return
        expect(error).toBeInstanceOf(SyntaxError)
        expect(isJson(text), text).toBe(false)
        return
      }
      expect(isJson(text), text).toBe(true)
    }
    fc.assert(
      fc.property(marks, fc.integer({ min: 0, max: 8 }), (parts, bytes) =>
        sameVerdict(parts.join(''), bytes),
      ),
      { numRuns: runsOf({ quick: 1500, full: 15_000 }) },
    )
    fc.assert(
      fc.property(broken, fc.integer({ min: 0, max: 20 }), ([text, where, mark], bytes) => {
        const at = where % (text.length + 1)
        sameVerdict(text.slice(0, at) + mark + text.slice(at), bytes)
        sameVerdict(text.slice(0, at) + mark + text.slice(at + 1), bytes)
      }),
      { numRuns: runsOf({ quick: 1000, full: 10_000 }) },
    )
  })

  test.each([
    '[ ,{"a":[1,2,3,4]}]',
    '[1,2,3,4,5,6, ]',
    '{"a":[1,2,3,4,5], }',
    '{ ,"a":[1,2,3,4]}',
    '[[1,2,3}]',
  ])('commas and brackets out of place: %s', (text) => {
    for (const bytes of [0, 2, 4, 8]) expect(() => parsed(text, bytes)).toThrow(SyntaxError)
  })

  test('a member that is given twice is named, in whichever pieces', () => {
    const text = '{"a":[{"b":[1,2,3],"c":2,"b":[4,5,6]}]}'
    expect(() => parsed(text, 2)).toThrow(new RepeatedMember('/a/0/b'))
  })

  test('a member named __proto__ is a member', () => {
    const text = '{"__proto__":{"x":[1,2,3,4]},"y":1}'
    expect(Object.keys(parsed(text) as object)).toEqual(['__proto__', 'y'])
  })

  test('what lies too deep is not entered', () => {
    expect(() => parsed(`${'['.repeat(70)}${']'.repeat(70)}`)).toThrow(TooDeep)
    expect(parsed(spaced('[[[1]]]', ' '), 0, 3)).toEqual([[[1]]])
  })
})
