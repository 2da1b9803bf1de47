import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonicalJson } from '../../../src/domain/events/same-event.js'
import type { Json } from '../../../src/domain/model.js'

const json = fc.jsonValue({ maxDepth: 4, stringUnit: 'binary' }) as fc.Arbitrary<Json>

/** The same value with the keys of every object in another order. */
function reversed(value: Json): Json {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map(reversed)
  const entries = Object.entries(value).reverse()
  return Object.fromEntries(entries.map(([key, item]) => [key, reversed(item)]))
}

describe('canonical JSON', () => {
  test('is the same for keys in any order, at any depth', () => {
    expect(canonicalJson({ b: { d: 1, c: [{ f: 2, e: 3 }] }, a: null })).toBe(
      '{"a":null,"b":{"c":[{"e":3,"f":2}],"d":1}}',
    )
    fc.assert(fc.property(json, (value) => canonicalJson(reversed(value)) === canonicalJson(value)))
  })

  test('is JSON for the same value', () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
  })

  test('tells different values apart', () => {
    fc.assert(
      fc.property(json, json, (a, b) => {
        const same = canonicalJson(a) === canonicalJson(b)
        if (same) expect(JSON.parse(JSON.stringify(a))).toEqual(JSON.parse(JSON.stringify(b)))
      }),
    )
    const values: Json[] = [
      0,
      '0',
      false,
      null,
      '',
      [],
      {},
      [[]],
      [null],
      { a: null },
      ['a', 'b'],
      ['a,b'],
      '\\u0000',
      '\0',
    ]
    expect(new Set(values.map(canonicalJson)).size).toBe(values.length)
  })

  test('survives being written and read again', () => {
    fc.assert(
      fc.property(json, (value) => {
        const text = canonicalJson(value)
        expect(canonicalJson(JSON.parse(text) as Json)).toBe(text)
      }),
    )
  })

  test('arrays keep their order', () => {
    expect(canonicalJson([3, 1, 2])).toBe('[3,1,2]')
    expect(canonicalJson({ a: ['y', 'x'] })).not.toBe(canonicalJson({ a: ['x', 'y'] }))
  })

  test('keys are ordered by code unit, numeric ones too', () => {
    expect(canonicalJson({ b: 0, 2: 0, 10: 0, Z: 0, é: 0, a: 0 })).toBe(
      '{"10":0,"2":0,"Z":0,"a":0,"b":0,"é":0}',
    )
  })

  test('numbers have one spelling, and minus zero is zero', () => {
    expect(canonicalJson(-0)).toBe('0')
    expect(canonicalJson(JSON.parse('[1.0, 1e2, 100, 0.10]'))).toBe('[1,100,100,0.1]')
  })

  test('an own key named __proto__ is a key like any other', () => {
    const payload = JSON.parse('{"__proto__":{"admin":true},"a":1}') as Json
    expect(canonicalJson(payload)).toBe('{"__proto__":{"admin":true},"a":1}')
    expect(canonicalJson(payload)).not.toBe(canonicalJson({ a: 1 }))
  })

  test('text is kept as it came: no normalization, lone surrogates escaped', () => {
    expect(canonicalJson('\u00e9')).not.toBe(canonicalJson('e\u0301'))
    expect(canonicalJson('👍 数据库')).toBe('"👍 数据库"')
    expect(canonicalJson('\ud800')).toBe('"\\ud800"')
    expect(canonicalJson({ '\udc00': 1 })).toBe('{"\\udc00":1}')
  })
})
