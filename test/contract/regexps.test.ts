import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readOpenApi, type Schema } from '../support/openapi.js'
import { expectBelow } from '../support/quick.js'

const schemas = Object.entries(readOpenApi().components['schemas'] ?? {}) as [string, Schema][]
const patterns = schemas.flatMap(([name, schema]) => [
  ...named(name, schema),
  ...Object.entries(schema.properties ?? {}).flatMap(([key, part]) => named(`${name}.${key}`, part)),
])

function named(name: string, { pattern, maxLength }: Schema) {
  return pattern === undefined ? [] : [[name, pattern, maxLength ?? 1_000] as const]
}

/** Texts of a given length that make a pattern try everything before it gives up. */
function hostile(length: number): string[] {
  const half = Math.floor(length / 2)
  const third = Math.floor(length / 3)
  return [
    'a'.repeat(length),
    ' '.repeat(length),
    `${'a'.repeat(length - 1)}\0`,
    `${' '.repeat(length - 1)}\0`,
    `${'a '.repeat(half)}\0`,
    `${'a'.repeat(half)}:${' '.repeat(half - 2)}`,
    `${' '.repeat(half)}:${' '.repeat(half - 2)}`,
    `${'a'.repeat(half)}:${'a'.repeat(half - 2)}\0`,
    `a${' '.repeat(half)}:a${' '.repeat(half - 4)}`,
    `a${' '.repeat(half)}:${' '.repeat(half - 4)}\0`,
    `${'a'.repeat(third)}:${'a '.repeat(third / 2)}:${'a'.repeat(third - 3)}\u202e`,
    'mem_0'.padEnd(length, '0'),
    ':'.repeat(length),
  ]
}

describe('C7: no pattern of the contract can be made to run for long', () => {
  // From short to long, so that a pattern that is not linear is found out before it would take hours.
  test.each(patterns)('%s', async (_name, pattern, maxLength) => {
    for (const length of [maxLength, 2_000, 20_000, 200_000])
      for (const text of hostile(length)) {
        const compiled = new RegExp(pattern, 'u')
        const measure = async () => {
          const before = process.cpuUsage()
          compiled.test(text)
          return process.cpuUsage(before).user / 1000
        }
        await expectBelow(20 + length / 1_000, measure, `${length}: ${JSON.stringify(text.slice(0, 40))}`)
      }
  })
})

describe('the patterns of names', () => {
  const pattern = (name: string) => new RegExp(patterns.find(([own]) => own === name)?.[1] ?? 'no such', 'u')
  const FORBIDDEN = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u
  const isName = (text: string) => /[^\s\u00ad\u200b\u2060]/u.test(text) && !FORBIDDEN.test(text)
  const isType = (text: string) => isName(text) && !/[:\u2a74\ufe13\ufe55\uff1a]/u.test(text)
  const isId = (text: string) => {
    const colon = text.indexOf(':')
    return colon > 0 && isType(text.slice(0, colon)) && isName(text.slice(colon + 1))
  }

  const everyCodePoint = Array.from({ length: 0x110000 }, (_, code) => String.fromCodePoint(code))
  const curious = everyCodePoint.filter((text) =>
    /[\s\u00ad\u200b\u2060\p{Cc}\p{Z}\p{Bidi_C}:\u2a74\ufe13\ufe55\uff1a]/u.test(text),
  )

  test('mean what they say, for every code point', () => {
    const [type, name] = [pattern('ContextType'), pattern('ContextName')]
    expect(everyCodePoint.filter((text) => name.test(text) !== isName(text))).toEqual([])
    expect(everyCodePoint.filter((text) => type.test(text) !== isType(text))).toEqual([])
  })

  test('mean what they say, for white space, controls and colons in any order', () => {
    const unit = fc.oneof(fc.constantFrom(...'ab: 🦊'), fc.constantFrom(...curious))
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 8 }), (text) => {
        expect(pattern('ContextType').test(text)).toBe(isType(text))
        expect(pattern('ContextName').test(text)).toBe(isName(text))
        expect(pattern('ContextId').test(text)).toBe(isId(text))
        expect(pattern('LinkTarget').test(text)).toBe(isId(text))
      }),
      { numRuns: 5_000 },
    )
  })

  test.each(patterns)(
    '%s means the same in every language: no class that each defines anew',
    (_name, text) => {
      // In JavaScript `\s` has U+FEFF, in Python U+001C to U+001F; `\d` and `\w` differ likewise.
      expect(text).not.toMatch(/\\[sSdDwWbBpP]|\(\?/)
      expect(text).toMatch(/^\^.*\$$/)
    },
  )
})
