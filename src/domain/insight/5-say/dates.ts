const DAY = 86_400_000
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

const RELATIVE =
  /\b(?:(yesterday|today|tomorrow)|(last|next) (week|month|year|(?:sun|mon|tues|wednes|thurs|fri|satur)day)|(\d{1,3}|an?|two|three|four|five|six|seven|eight|nine|ten) (day|week|month|year)s? ago)\b(?!['’])/gi

/** A text whose relative dates are resolved against the moment at which it was said: "yesterday" gets its date. */
export function resolveDates(text: string, saidAt: string): string {
  const said = new Date(saidAt)
  return text.replace(
    RELATIVE,
    (whole, day?: string, side?: string, unit?: string, count?: string, ago?: string) => {
      if (day !== undefined) return `${whole} (${dayOf(said, DAYS.get(day.toLowerCase()) ?? 0)})`
      if (side !== undefined && unit !== undefined)
        return `${whole} (${beside(said, side.toLowerCase() === 'last' ? -1 : 1, unit.toLowerCase())})`
      return `${whole} (${before(said, numberOf(count ?? ''), ago?.toLowerCase() ?? '')})`
    },
  )
}

function beside(said: Date, step: 1 | -1, unit: string): string {
  if (unit === 'week') return `the week of ${dayOf(said, 7 * step)}`
  if (unit === 'month') return monthOf(said, step)
  if (unit === 'year') return String(said.getUTCFullYear() + step)
  const distance = (WEEKDAYS.indexOf(unit) - said.getUTCDay()) * step
  return dayOf(said, step * (distance <= 0 ? distance + 7 : distance))
}

function before(said: Date, count: number, unit: string): string {
  if (unit === 'day') return dayOf(said, -count)
  if (unit === 'week') return `around ${dayOf(said, -7 * count)}`
  if (unit === 'month') return monthOf(said, -count)
  return String(said.getUTCFullYear() - count)
}

function numberOf(word: string): number {
  const digits = Number(word)
  if (!Number.isNaN(digits)) return digits
  return Math.max(1, NUMBERS.indexOf(word.toLowerCase()))
}

function dayOf(said: Date, days: number): string {
  const day = new Date(said.getTime() + days * DAY)
  return `${day.getUTCDate()} ${MONTHS[day.getUTCMonth()]} ${day.getUTCFullYear()}`
}

function monthOf(said: Date, months: number): string {
  const month = new Date(Date.UTC(said.getUTCFullYear(), said.getUTCMonth() + months, 1))
  return `${MONTHS[month.getUTCMonth()]} ${month.getUTCFullYear()}`
}
