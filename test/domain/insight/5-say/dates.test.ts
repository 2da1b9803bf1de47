import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { resolveDates } from '../../../../src/domain/insight/dates.js'

/** A Saturday. */
const SAID = '2025-03-01T09:30:00.000Z'

describe('a relative date gets its date', () => {
  test.each([
    ['Deployed yesterday.', 'Deployed yesterday (28 February 2025).'],
    ['Today is quiet', 'Today (1 March 2025) is quiet'],
    ['TOMORROW we ship', 'TOMORROW (2 March 2025) we ship'],
    ['last week', 'last week (the week of 22 February 2025)'],
    ['next week', 'next week (the week of 8 March 2025)'],
    ['last month', 'last month (February 2025)'],
    ['Next month', 'Next month (April 2025)'],
    ['last year', 'last year (2024)'],
    ['next year', 'next year (2026)'],
    ['last Friday', 'last Friday (28 February 2025)'],
    ['We met last Monday.', 'We met last Monday (24 February 2025).'],
    ['The lease, signed two years ago, ends soon', 'The lease, signed two years ago (2023), ends soon'],
    ['It broke: yesterday it still ran', 'It broke: yesterday (28 February 2025) it still ran'],
    [
      'Anna moved here three weeks ago and likes it',
      'Anna moved here three weeks ago (around 8 February 2025) and likes it',
    ],
    ['The price went up last month, again', 'The price went up last month (February 2025), again'],
    ['I saw her yesterday!', 'I saw her yesterday (28 February 2025)!'],
    ['The audit is tomorrow at nine', 'The audit is tomorrow (2 March 2025) at nine'],
    [
      'They left a week ago; nobody noticed',
      'They left a week ago (around 22 February 2025); nobody noticed',
    ],
    ['Next year the tax changes', 'Next year (2026) the tax changes'],
    ['We sold it last year for less', 'We sold it last year (2024) for less'],
    ['The vet came last Tuesday', 'The vet came last Tuesday (25 February 2025)'],
    ['a day ago', 'a day ago (28 February 2025)'],
    ['3 days ago', '3 days ago (26 February 2025)'],
    ['ten days ago', 'ten days ago (19 February 2025)'],
    ['100 days ago', '100 days ago (21 November 2024)'],
    ['a week ago', 'a week ago (around 22 February 2025)'],
    ['two weeks ago', 'two weeks ago (around 15 February 2025)'],
    ['a month ago', 'a month ago (February 2025)'],
    ['three months ago', 'three months ago (December 2024)'],
    ['a year ago', 'a year ago (2024)'],
    ['5 years ago', '5 years ago (2020)'],
    ['0 days ago', '0 days ago (1 March 2025)'],
  ])('%s', (text, expected) => {
    expect(resolveDates(text, SAID)).toBe(expected)
  })

  test('the same weekday is a week away, never today', () => {
    expect(resolveDates('last Saturday', SAID)).toBe('last Saturday (22 February 2025)')
  })

  test.each([
    ['the end of a year', '2024-12-31T23:59:59.999Z', 'tomorrow', '1 January 2025'],
    ['the start of a year', '2025-01-01T00:00:00.000Z', 'yesterday', '31 December 2024'],
    ['a leap day', '2024-03-01T12:00:00.000Z', 'yesterday', '29 February 2024'],
    ['a year without one', '2025-03-01T12:00:00.000Z', 'yesterday', '28 February 2025'],
    ['the month before a long one', '2025-03-31T12:00:00.000Z', 'last month', 'February 2025'],
    ['the month after January 31', '2025-01-31T12:00:00.000Z', 'next month', 'February 2025'],
    ['the month before January', '2025-01-15T12:00:00.000Z', 'last month', 'December 2024'],
    ['the month after December', '2025-12-31T12:00:00.000Z', 'next month', 'January 2026'],
    ['thirteen months', '2025-01-31T12:00:00.000Z', '13 months ago', 'December 2023'],
  ])('across %s', (_, saidAt, words, date) => {
    expect(resolveDates(words, saidAt)).toBe(`${words} (${date})`)
  })

  test('each of several in one text', () => {
    expect(resolveDates('Down yesterday, up today; see last week.', SAID)).toBe(
      'Down yesterday (28 February 2025), up today (1 March 2025); see last week (the week of 22 February 2025).',
    )
  })
})

describe('left alone', () => {
  test.each([
    "Yesterday's build",
    'yesterday’s build',
    "today's plan",
    "last week's numbers",
    'the last weekend',
    'at last',
    'the last three months',
    'many days ago',
    '1234 days ago',
    'Todays',
    'in two weeks',
    '2025-02-28',
    'the next build',
    'next Friday',
    'The certificate was rotated half a year ago',
    'The certificate was rotated 1,000 days ago',
    'The certificate was rotated 0.5 days ago',
    'The certificate was rotated a year and three months ago',
    'more than two years ago',
    'almost a month ago',
    'two or three weeks ago',
    'Our press contact at USA Today is Mary',
    'the Tomorrow Never Knows cover',
    'Run `date -d yesterday +%F`',
    'report.sh --day today',
    'select * from orders where day >= today() - 7',
    'She said "I will pay tomorrow"',
    'the song “Yesterday” is long, and “see you tomorrow” too',
    "the 'last week' report",
    'today/tomorrow toggle',
    'yesterday-v2',
    'the day-after-tomorrow job',
    'due today (a guess)',
    'todayś',
    '今日today',
    'from today@example.com',
    'x = yesterday',
    '',
  ])('%j', (text) => {
    expect(resolveDates(text, SAID)).toBe(text)
  })

  test('a date beyond the calendar', () => {
    expect(resolveDates('Tomorrow we ship', '9999-12-31T12:00:00.000Z')).toBe('Tomorrow we ship')
  })

  test('everything but the relative dates: what is added stands in brackets behind them', () => {
    const word = fc.constantFrom(
      'yesterday',
      'last monday',
      'two weeks ago',
      'cache',
      '(1)',
      'été',
      '😀',
      '.',
    )
    const moment = fc.date({
      min: new Date('1970-01-01'),
      max: new Date('2100-01-01'),
      noInvalidDate: true,
    })
    fc.assert(
      fc.property(fc.array(word), moment, (words, said) => {
        const text = words.join(' ')
        const resolved = resolveDates(text, said.toISOString())
        expect(resolved.replace(/ \((?:around |the week of )?\d{1,2} [A-Z][a-z]+ \d{4}\)/g, '')).toBe(text)
      }),
    )
  })

  test('the days of any weekday named are that weekday, within a week of what was said', () => {
    const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
    const moment = fc.date({ min: new Date('1990-01-01'), max: new Date('2090-01-01'), noInvalidDate: true })
    fc.assert(
      fc.property(fc.nat(6), moment, (day, said) => {
        const resolved = resolveDates(`last ${days[day]}`, said.toISOString())
        const date = new Date(`${/\((.*)\)/.exec(resolved)?.[1]} UTC`)
        expect(date.getUTCDay()).toBe(day)
        const apart = (date.getTime() - Date.parse(said.toISOString().slice(0, 10))) / 86_400_000
        expect(Math.abs(apart)).toBeLessThanOrEqual(7)
        expect(Math.sign(apart)).toBe(-1)
      }),
    )
  })
})
