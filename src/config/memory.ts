import type { Environment } from './database.js'

/** Names with their help texts. */
export const MEMORY_SETTINGS: readonly (readonly [string, string])[] = [
  [
    'LOREGRAPH_MEMORY',
    'memory that open graphs may take, e.g. 800m or 4g; 60 % of the heap that Node may use if absent',
  ],
]

const SIZE = /^([1-9]\d{0,5})(m|g)$/
const UNITS = { m: 1024 ** 2, g: 1024 ** 3 }
const MIN_BYTES = 64 * UNITS.m

/** The limit in bytes; undefined for the default. Adds messages to `mistakes`. */
export function readMemory(env: Environment, mistakes: string[]): number | undefined {
  const text = env['LOREGRAPH_MEMORY']
  if (text === undefined) return undefined
  const [, size, unit] = SIZE.exec(text.toLowerCase()) ?? []
  const bytes = unit === 'm' || unit === 'g' ? Number(size) * UNITS[unit] : 0
  if (bytes < MIN_BYTES)
    mistakes.push(
      `LOREGRAPH_MEMORY must be a size of at least 64m, such as 800m or 4g, not ${JSON.stringify(text)}.`,
    )
  return bytes
}
