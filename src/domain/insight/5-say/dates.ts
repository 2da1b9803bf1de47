const DAY = 86_400_000
const LAST_YEAR = 9_999
const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]
const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
const NUMBERS = ['zero', 'a', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']

const DAYS = new Map([
  ['yesterday', -1],
  ['today', 0],
  ['tomorrow', 1],
])

/** "Next Friday" is left out: half of those who say it mean the Friday after. */
const RELATIVE =
  /(?<![\p{L}\p{N}\p{M}_])(?:(yesterday|today|tomorrow)|(last|next) (week|month|year)|last ((?:sun|mon|tues|wednes|thurs|fri|satur)day)|(\d{1,3}|an?|two|three|four|five|six|seven|eight|nine|ten) (day|week|month|year)s? ago)(?![\p{L}\p{N}\p{M}_])/giu

/** Marks of code, commands, addresses and fields: a text that has one is not dated at all. */
const CODE = /[`{}<>|$=\\@#]|(?:^|\s)-{1,2}\w|\w\(|\(\)|:\/\/|\w\/\w|\w_\w/

/** Words before a number of days or years that make it another number, or none. */
const INEXACT =
  /(?:[\d.,]|\b(?:half|and|or|to|than|over|under|almost|nearly|least|most|few|couple of|hundred|thousand|million|some|every|not))\s*$/i

/** Quotation marks that open and those that close; an apostrophe opens only where a word begins. */
const QUOTES: readonly (readonly [RegExp, RegExp])[] = [
  [/"/g, /"/g],
  [/“/g, /”/g],
  [/„/g, /[“”]/g],
  [/«/g, /»/g],
  [/(?<![\p{L}\p{N}])['‘]/gu, /['’](?![\p{L}\p{N}])/gu],
]

/**
 * A text with the date in brackets behind each relative one, for the moment at which it was said; only in prose, outside
 * quotation, and only where it can mean one date.
 */
export function resolveDates(text: string, saidAt: string): string {
  if (CODE.test(text)) return text
  const said = new Date(saidAt)
  return text.replace(RELATIVE, (whole: string, ...groups: unknown[]) => {
    const [day, side, unit, weekday, count, ago] = groups as (string | undefined)[]
    const at = groups[6] as number
    const before = text.slice(0, at)
    if (!isPlain(whole, before, text.slice(at + whole.length))) return whole
    if (count !== undefined && INEXACT.test(before)) return whole
    const date =
      day !== undefined
        ? dayOf(said, DAYS.get(day.toLowerCase()) ?? 0)
        : weekday !== undefined
          ? dayOf(said, -daysSince(said, weekday.toLowerCase()))
          : side !== undefined
            ? beside(said, side.toLowerCase() === 'last' ? -1 : 1, unit?.toLowerCase() ?? '')
            : ago !== undefined
              ? agoOf(said, numberOf(count ?? ''), ago.toLowerCase())
              : undefined
    return date === undefined ? whole : `${whole} (${date})`
  })
}

/** Neither part of a name or a compound, nor quoted, nor dated already. */
function isPlain(whole: string, before: string, after: string): boolean {
  const opensSentence = /(?:^|[.!?:;]\s+)$/u.test(before)
  if (/^\p{Lu}/u.test(whole) && !opensSentence) return false
  if (/[-–—/.'’"]$/u.test(before) || /^\s*\(|^['’"\-–/]|^[.:]\p{L}/u.test(after)) return false
  // What is on either side must be prose of the same script.
  if (/\p{L}$/u.test(before) || /[^\p{ASCII}\p{P}\p{Script=Latin}\s]\s?$/u.test(before)) return false
  return !QUOTES.some(([open, close]) => isQuoted(before, after, open, close))
}

function isQuoted(before: string, after: string, open: RegExp, close: RegExp): boolean {
  const opened = before.match(open)?.length ?? 0
  if (open.source === close.source) return opened % 2 === 1
  return opened > (before.match(close)?.length ?? 0) && close.test(after)
}

function beside(said: Date, step: 1 | -1, unit: string): string | undefined {
  if (unit === 'month') return monthOf(said, step)
  if (unit === 'year') return yearOf(said, step)
  const day = dayOf(said, 7 * step)
  return day && `the week of ${day}`
}

function agoOf(said: Date, count: number, unit: string): string | undefined {
  if (unit === 'day') return dayOf(said, -count)
  if (unit === 'month') return monthOf(said, -count)
  if (unit === 'year') return yearOf(said, -count)
  const day = dayOf(said, -7 * count)
  return day && `around ${day}`
}

function daysSince(said: Date, weekday: string): number {
  return ((said.getUTCDay() - WEEKDAYS.indexOf(weekday) + 6) % 7) + 1
}

function numberOf(word: string): number {
  const digits = Number(word)
  return Number.isNaN(digits) ? Math.max(1, NUMBERS.indexOf(word.toLowerCase())) : digits
}

function dayOf(said: Date, days: number): string | undefined {
  const day = new Date(said.getTime() + days * DAY)
  return isDate(day) ? `${day.getUTCDate()} ${MONTHS[day.getUTCMonth()]} ${day.getUTCFullYear()}` : undefined
}

function monthOf(said: Date, months: number): string | undefined {
  const month = new Date(Date.UTC(said.getUTCFullYear(), said.getUTCMonth() + months, 1))
  return isDate(month) ? `${MONTHS[month.getUTCMonth()]} ${month.getUTCFullYear()}` : undefined
}

function yearOf(said: Date, years: number): string | undefined {
  const year = new Date(Date.UTC(said.getUTCFullYear() + years, 0, 1))
  return isDate(year) ? String(year.getUTCFullYear()) : undefined
}

function isDate(date: Date): boolean {
  return date.getUTCFullYear() > 0 && date.getUTCFullYear() <= LAST_YEAR
}
