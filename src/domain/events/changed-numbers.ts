import type { FieldError } from '../failure.js'
import { placesIn } from './json-places.js'

const MAX_MISTAKES = 20

/**
 * The numbers in a JSON text that nothing could give back: whole numbers that a double would change, which may be ids,
 * and those that it would make infinite or 0. Fractions are rounded to the nearest double, and -0 is 0.
 */
export function changedNumbers(text: string): FieldError[] {
  const mistakes: FieldError[] = []
  for (const { kind, written, pointer } of placesIn(text)) {
    const message = kind === 'number' ? mistakeOf(written) : undefined
    if (message === undefined) continue
    mistakes.push({ path: pointer(), message })
    if (mistakes.length === MAX_MISTAKES) break
  }
  return mistakes
}

function mistakeOf(written: string): string | undefined {
  const value = Number(written)
  if (/^-?\d{1,15}$/.test(written)) return undefined
  const number = decimalOf(written)
  if (!Number.isFinite(value) || (value === 0 && number.digits !== ''))
    return 'must be a number that fits a double; send it as text'
  if (value === 0 || number.exponent < 0) return undefined
  const back = decimalOf(String(value))
  if (back.digits === number.digits && back.exponent === number.exponent) return undefined
  return `must not change, and would come back as ${value}; send it as text`
}

interface Decimal {
  /** Without zeros at either end. */
  readonly digits: string
  /** The power of ten of the last digit: below 0 for a fraction. */
  readonly exponent: number
}

const NUMBER = /^-?(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i

function decimalOf(written: string): Decimal {
  const [, whole = '', fraction = '', power = '0'] = NUMBER.exec(written) ?? []
  const all = whole + fraction
  let [start, end] = [0, all.length]
  while (all[start] === '0') start++
  while (end > start && all[end - 1] === '0') end--
  return { digits: all.slice(start, end), exponent: Number(power) - fraction.length + all.length - end }
}
