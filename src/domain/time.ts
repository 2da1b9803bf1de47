import { Failure, type FailureCode } from './failure.js'

/** The form alone: the format checkers of JSON Schema also take `+0530` and a tab for the `T`. */
const RFC_3339 = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/
const LEAP_SECOND = /:60(?=[.Zz+-]|$)/
const FOUR_DIGIT_YEAR = /^\d{4}-/

/** An RFC 3339 moment as ISO 8601 in UTC, to the millisecond. A leap second is the last moment of its minute. */
export function parseTimestamp(raw: string, path: string, code: FailureCode = 'invalid_event'): string {
  if (isOurs(raw)) return raw
  const time = new Date(
    raw
      .toUpperCase()
      .replace(' ', 'T')
      .replace(LEAP_SECOND, ':59.999')
      .replace(/(:59\.999)\.\d+/, '$1'),
  )
  const iso = Number.isNaN(time.getTime()) ? '' : time.toISOString()
  if (RFC_3339.test(raw) && FOUR_DIGIT_YEAR.test(iso) && isDay(raw)) return iso
  const message = 'must be a moment as RFC 3339, in the years 0000 to 9999 of UTC'
  throw new Failure(code, `The timestamp ${message}.`, { errors: [{ path, message }] })
}

/** Does its month have that day? `Date` takes the 31st of February for a day of March. Leap years repeat every 400 years. */
function isDay(raw: string): boolean {
  const [year = 0, month = 0, day = 0] = raw.slice(0, 10).split('-').map(Number)
  return new Date(Date.UTC(2000 + (year % 400), month - 1, day)).getUTCDate() === day
}

/** Of two moments as we write them. */
export function earlierOf(a: string, b: string): string {
  if (a < b) return a
  return b
}

export function laterOf(a: string, b: string): string {
  if (a < b) return b
  return a
}

/** A moment of a graph: a place in its order of recording, or the time of recording. */
export type AsOf = { readonly place: number } | { readonly time: string }

const PLACE = /^\d{1,15}$/

/** A place as digits, or a moment as RFC 3339. */
export function parseAsOf(raw: string, path: string): AsOf {
  if (PLACE.test(raw)) return { place: Number(raw) }
  return { time: parseTimestamp(raw, path, 'invalid_time') }
}

/** Has it run out by a moment? Both as `parseTimestamp` gives them, which sort as they are read. */
export function isExpired(validUntil: string | undefined, by: string): boolean {
  return validUntil !== undefined && validUntil <= by
}

/** Whether it is a moment as we write it ourselves, as all those in an export are. */
function isOurs(raw: string): boolean {
  if (raw.length !== 24 || !FOUR_DIGIT_YEAR.test(raw)) return false
  const time = new Date(raw)
  return !Number.isNaN(time.getTime()) && time.toISOString() === raw
}
