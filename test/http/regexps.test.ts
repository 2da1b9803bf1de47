import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'

const { components } = parse(await readFile(new URL('../../openapi/openapi.yaml', import.meta.url), 'utf8'))
const patterns = Object.entries<{ pattern?: string; maxLength?: number }>(components.schemas).flatMap(
  ([name, { pattern, maxLength }]) =>
    pattern === undefined ? [] : [[name, pattern, maxLength ?? 1_000] as const],
)

/** Texts of a given length that make a pattern try everything before it gives up. */
function hostile(length: number): string[] {
  const half = Math.floor(length / 2)
  const third = Math.floor(length / 3)
  return [
    'a'.repeat(length),
    ' '.repeat(length),
    `${'a'.repeat(length - 1)}\0`,
    `${'a '.repeat(half)}\0`,
    `${'a'.repeat(half)}:${' '.repeat(half - 2)}`,
    `${' '.repeat(half)}:${' '.repeat(half - 2)}`,
    `${'a'.repeat(half)}:${'a'.repeat(half - 2)}\0`,
    `a${' '.repeat(half)}:a${' '.repeat(half - 4)}`,
    `${'a'.repeat(third)}:${'a '.repeat(third / 2)}:${'a'.repeat(third - 3)}\u202e`,
    'mem_0'.padEnd(length, '0'),
    ':'.repeat(length),
  ]
}

describe('C7: no pattern of the contract can be made to run for long', () => {
  test.each(patterns)('%s', (_name, pattern, maxLength) => {
    const compiled = new RegExp(pattern, 'u')
    for (const text of hostile(maxLength)) {
      // The first run is interpreted; a service compiles a pattern once and uses it for ever.
      compiled.test(text)
      const before = process.cpuUsage()
      compiled.test(text)
      const { user } = process.cpuUsage(before)
      expect(user / 1000, JSON.stringify(text.slice(0, 40))).toBeLessThan(20)
    }
  })
})
