import { type FailureCode, fieldFailure } from './failure.js'

/** `Date` also takes the hour 24, and the format checkers of JSON Schema `+0530` and a tab for the `T`. */
const RFC_3339 =
  /^\d{4}-\d\d-\d\d[Tt ](?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/
const LEAP_SECOND = /:60(?=[.Zz+-]|$)/
const FOUR_DIGIT_YEAR = /^\d{4}-/

/** An RFC 3339 moment as ISO 8601 in UTC, to the millisecond. A leap second is the last moment of its minute. */
export function parseTimestamp(raw: string, path: string, code: FailureCode = 'invalid_event'): string {
  const iso = toIso(raw)
  if (iso !== undefined) return iso
  const message = 'must be a moment as RFC 3339, in the years 0000 to 9999 of UTC'
  throw fieldFailure(code, path, message, 'The timestamp')
}

function toIso(raw: string): string | undefined {
  if (isCanonical(raw)) return raw
  if (!RFC_3339.test(raw) || !isDay(raw)) return undefined
  const time = new Date(
    raw
      .toUpperCase()
      .replace(' ', 'T')
      .replace(LEAP_SECOND, ':59.999')
      .replace(/(:59\.999)\.\d+/, '$1'),
  )
  const iso = Number.isNaN(time.getTime()) ? '' : time.toISOString()
  return FOUR_DIGIT_YEAR.test(iso) ? iso : undefined
}

const DATE = /^\d{4}-\d\d-\d\d$/
/** How people write that something holds for ever. */
const LAST_MOMENT = '9999-12-31T23:59:59.999Z'
const DAY_MS = 24 * 60 * 60_000

/**
 * When an event begins: a moment, or a date, which is 00:00 UTC; undefined for the day of recording, which means the moment
 * of recording. That is known only once it is recorded: a clock that was read before might be behind other records.
 */
export function parseStart(raw: string, path: string, now: string): string | undefined {
  if (!DATE.test(raw)) return momentOf(raw, path)
  const midnight = startOfDay(raw, path)
  return now.startsWith(raw) ? undefined : midnight
}

/** When an event ends, exclusive: a moment, or a date, which means through that day (UTC). */
export function parseEnd(raw: string, path: string): string {
  if (!DATE.test(raw)) return momentOf(raw, path)
  const next = new Date(Date.parse(startOfDay(raw, path)) + DAY_MS).toISOString()
  return FOUR_DIGIT_YEAR.test(next) ? next : LAST_MOMENT
}

/** A time that is asked about: a moment, or a date, which is the end of that day (UTC). */
export function parseTime(raw: string, path: string): string {
  if (!DATE.test(raw)) return momentOf(raw, path, 'invalid_time')
  startOfDay(raw, path, 'invalid_time')
  return `${raw}T23:59:59.999Z`
}

function startOfDay(date: string, path: string, code?: FailureCode): string {
  return momentOf(`${date}T00:00:00.000Z`, path, code)
}

/** As `parseTimestamp`, with the error for fields that also take a date. */
function momentOf(raw: string, path: string, code: FailureCode = 'invalid_event'): string {
  const iso = toIso(raw)
  if (iso !== undefined) return iso
  const message = 'must be a date or a moment as RFC 3339, in the years 0000 to 9999 of UTC'
  throw fieldFailure(code, path, message)
}

/** Does its month have that day? `Date` takes 31 February for a day of March. `Date.UTC` would move the years 0 to 99. */
function isDay(raw: string): boolean {
  const [year = 0, month = 0, day = 0] = raw.slice(0, 10).split('-').map(Number)
  return new Date(Date.UTC(2000 + (year % 400), month - 1, day)).getUTCDate() === day
}

export function earlierOf(a: string, b: string): string {
  return a < b ? a : b
}

export function laterOf(a: string, b: string): string {
  return a < b ? b : a
}

/** A moment of a graph: a place in its order of recording, or the time of recording. */
export type AsOf = { readonly place: number } | { readonly time: string }

/** Of what had been recorded by `asOf`, what was true at `validAt`: by default at the time of `asOf`, or now. */
export interface When {
  readonly asOf?: AsOf | undefined
  readonly validAt?: string | undefined
}

const PLACE = /^\d{1,15}$/

/** A place as digits, a moment as RFC 3339, or a date, which is the end of that day (UTC). */
export function parseAsOf(raw: string, path: string): AsOf {
  if (PLACE.test(raw)) return { place: Number(raw) }
  return { time: parseTime(raw, path) }
}

/** Is it a moment as this service writes it, as all in an export are? */
export function isCanonical(raw: string): boolean {
  if (raw.length !== 24 || !FOUR_DIGIT_YEAR.test(raw)) return false
  const time = new Date(raw)
  return !Number.isNaN(time.getTime()) && time.toISOString() === raw
}
