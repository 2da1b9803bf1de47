import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Json, JsonObject } from '../../src/domain/model.js'
import { textOf } from '../../src/domain/text.js'

const payload = fc.dictionary(
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.jsonValue({ maxDepth: 3, stringUnit: 'binary' }),
) as fc.Arbitrary<JsonObject>

describe('the text of a payload', () => {
  test.each([
    ['a plain field stands without its name', { text: 'Use pnpm.' }, 'Use pnpm.'],
    ['so does each of several', { summary: 'Slow.', content: 'Index it.' }, 'Slow.; Index it.'],
    ['another field is labelled', { root_cause: 'a stale cache' }, 'root cause: a stale cache'],
    [
      'numbers and booleans',
      { retries: 3, ratio: -0.5, flaky: false, zero: 0 },
      'retries: 3; ratio: -0.5; flaky: false; zero: 0',
    ],
    ['arrays', { steps: ['build', 'test', 3] }, 'steps: build, test, 3'],
    ['nested objects', { fix: { file: 'a.ts', data: { line: 7 } } }, 'fix: file: a.ts; line: 7'],
    ['objects within arrays', { data: [{ a: 1 }, { b: 2 }] }, 'a: 1, b: 2'],
    ['nothing to say is left out', { a: null, b: '', c: [], d: {}, e: ' ', f: [null, ''], g: 'x' }, 'g: x'],
    ['an empty payload', {}, ''],
    ['nulls alone', { data: null, more: [null] }, ''],
    ['a nameless field', { '': 'x', ' ': 'y', ___: 'z' }, 'x; y; z'],
    ['underlines around a field name', { _private_: 1 }, 'private: 1'],
    ['names of the prototype', JSON.parse('{"__proto__":"a","constructor":"b"}'), 'proto: a; constructor: b'],
  ] satisfies [string, JsonObject, string][])('%s', (_, given, expected) =>
    expect(textOf(given)).toBe(expected),
  )

  test('is one line, whatever breaks lines in the payload', () => {
    for (const lineBreak of ['\n', '\r\n', '\t', '\v', '\f', '\u001c', '\u0085', '\u2028', '\u2029'])
      expect(textOf({ [`a${lineBreak}b`]: `c${lineBreak}${lineBreak}d` })).toBe('a b: c d')
  })

  test('is one trimmed line without control characters for any payload', () => {
    fc.assert(
      fc.property(payload, (given) => {
        const text = textOf(given)
        expect(text).not.toMatch(/[\p{Cc}\u2028\u2029]/u)
        expect(text).not.toMatch(/ {2}/)
        expect(text).toBe(text.trim())
      }),
    )
  })

  test('holds every word and every number of the payload', () => {
    const word = fc.string({ unit: fc.constantFrom(...'abz数é👍'), minLength: 1, maxLength: 8 })
    const leaf = fc.oneof(word, fc.integer())
    const tree = fc.letrec<{ value: Json }>((tie) => ({
      value: fc.oneof({ maxDepth: 3 }, leaf, fc.array(tie('value')), fc.dictionary(word, tie('value'))),
    })).value
    fc.assert(
      fc.property(fc.dictionary(word, tree), (given) => {
        const text = textOf(given)
        for (const value of leaves(given)) expect(text).toContain(String(value))
      }),
    )
  })

  test('does not change the payload', () => {
    fc.assert(
      fc.property(payload, (given) => {
        const before = JSON.stringify(given)
        textOf(given)
        expect(JSON.stringify(given)).toBe(before)
      }),
    )
  })
})

function leaves(value: Json): Json[] {
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(leaves) : [value]
}
