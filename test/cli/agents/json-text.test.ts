import fc from 'fast-check'
import { type ParseError, parse } from 'jsonc-parser'
import { describe, expect, test } from 'vitest'
import { jsonMistake, valueAt, withEntry, withoutEntry } from '../../../src/cli/agents/json-text.js'

function read(text: string): unknown {
  const errors: ParseError[] = []
  const value = parse(text, errors, { allowTrailingComma: true })
  expect(errors, text).toEqual([])
  return value
}

const COMMENT = '// , { } "c"'

/** Objects laid out in one of the ways that people and programs do it. */
const texts = fc
  .record({
    value: fc.dictionary(
      fc.constantFrom('servers', 'a', 'b'),
      fc.oneof(
        fc.dictionary(fc.constantFrom('x', 'y', ','), fc.oneof(fc.string(), fc.constant({}))),
        fc.constant({}),
      ),
    ),
    indent: fc.constantFrom(undefined, 1, 2, 4, '\t'),
    isCommented: fc.boolean(),
    eol: fc.constantFrom('\n', '\r\n'),
  })
  .map(({ value, indent, isCommented, eol }) => {
    const plain = JSON.stringify(value, null, indent)
    const lines = plain.split('\n').map((line) => (isCommented && indent ? `${line} ${COMMENT}` : line))
    return lines.join(eol)
  })

const ENTRY = { command: 'x', args: ['a,b', '//'] }

describe('an entry', () => {
  test('is added and taken out again, and nothing else changes', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const before = read(text) as Record<string, object>
        const added = withEntry(text, ['servers', 'loregraph'], ENTRY)
        expect(read(added)).toEqual({ ...before, servers: { ...before['servers'], loregraph: ENTRY } })
        const removed = withoutEntry(added, ['servers', 'loregraph'])
        expect(read(removed)).toEqual({ ...before, servers: { ...before['servers'] } })
        expect(removed.split(COMMENT)).toHaveLength(text.split(COMMENT).length)
        if (text.includes('\r\n')) expect(added).not.toMatch(/[^\r]\n/)
      }),
      { numRuns: 300 },
    )
  })

  test('of a list is added behind the others and taken out again', () => {
    const text = '{ "hooks": { "Stop": [1, 2 /* two */] } }'
    const added = withEntry(text, ['hooks', 'Stop'], { a: 1 })
    expect(added).toBe('{ "hooks": { "Stop": [1, 2, {"a":1} /* two */] } }')
    expect(withoutEntry(added, ['hooks', 'Stop', 2])).toBe(text)
  })

  test('that is not there is not taken out', () => expect(withoutEntry('{"a": 1}', ['b'])).toBe('{"a": 1}'))

  test('cannot be put into what is no object', () =>
    expect(() => withEntry('{"servers": [1]}', ['servers', 'a', 'b'], 1)).toThrow('servers is not an object'))
})

test.each([
  ['', undefined],
  [' \n', undefined],
  ['{}', undefined],
  ['// c\n{ "a": 1, }', undefined],
  ['[]', 'does not hold a JSON object'],
  ['"x"', 'does not hold a JSON object'],
  ['{\n"a": ', 'is not JSON, from line 2 on'],
  ['{} {}', 'is not JSON, from line 1 on'],
])('%j: %s', (text, mistake) => expect(jsonMistake(text)).toBe(mistake))

test('a value is found by its path', () => {
  expect(valueAt('{"a": {"b": [1, {"c": true}]}}', ['a', 'b', 1])).toEqual({ c: true })
  expect(valueAt('{"a": 1}', ['a', 'b'])).toBeUndefined()
  expect(valueAt('', ['a'])).toBeUndefined()
})
