import { describe, expect, test } from 'vitest'
import { parseAsOf, parseEnd, parseStart, parseTime, parseTimestamp } from '../../src/domain/time.js'

const NOW = '2026-03-02T09:30:00.000Z'

describe('a date', () => {
  test('begins at 00:00 UTC, and that of today with the recording', () => {
    expect(parseStart('2026-03-01', '/timestamp', NOW)).toBe('2026-03-01T00:00:00.000Z')
    expect(parseStart('2026-03-03', '/timestamp', NOW)).toBe('2026-03-03T00:00:00.000Z')
    expect(parseStart('2026-03-02', '/timestamp', NOW)).toBeUndefined()
  })

  test.each([
    ['2026-03-02', '2026-03-03T00:00:00.000Z'],
    ['2024-02-28', '2024-02-29T00:00:00.000Z'],
    ['2026-02-28', '2026-03-01T00:00:00.000Z'],
    ['2026-12-31', '2027-01-01T00:00:00.000Z'],
  ])('%s as an end is through that day: until %s', (date, end) => {
    expect(parseEnd(date, '/valid_until')).toBe(end)
  })

  test('that is asked about is the end of that day', () => {
    expect(parseTime('2026-03-02', '/valid_at')).toBe('2026-03-02T23:59:59.999Z')
    expect(parseAsOf('2026-03-02', '/as_of')).toEqual({ time: '2026-03-02T23:59:59.999Z' })
  })
})

test('a moment is that moment, in UTC', () => {
  const [moment, utc] = ['2026-03-02T10:30:00.5+01:00', '2026-03-02T09:30:00.500Z']
  expect(parseStart(moment, '/timestamp', NOW)).toBe(utc)
  expect(parseEnd(moment, '/valid_until')).toBe(utc)
  expect(parseTime(moment, '/valid_at')).toBe(utc)
  expect(parseAsOf(moment, '/as_of')).toEqual({ time: utc })
})

test('digits are a place', () => {
  expect(parseAsOf('2026', '/as_of')).toEqual({ place: 2026 })
  expect(parseAsOf('20260302', '/as_of')).toEqual({ place: 20_260_302 })
})

describe('what is no date and no moment is refused, with its field', () => {
  test.each(['2026-02-29', '2026-02-31T00:00:00Z', '2026-13-01', '2026-3-2', 'today', ''])('%j', (text) => {
    for (const [parse, code] of [
      [() => parseStart(text, '/field', NOW), 'invalid_event'],
      [() => parseEnd(text, '/field'), 'invalid_event'],
      [() => parseTime(text, '/field'), 'invalid_time'],
      [() => parseAsOf(text, '/field'), 'invalid_time'],
    ] as const)
      expect(parse).toThrow(
        expect.objectContaining({
          code,
          errors: [{ path: '/field', message: expect.stringMatching(/^must be a date or a moment/) }],
        }),
      )
  })

  test('the last day there is means for ever, and no day has an hour 24 or a minute 60', () => {
    expect(parseEnd('9999-12-31', '/valid_until')).toBe('9999-12-31T23:59:59.999Z')
    for (const time of ['T24:00:00Z', 'T23:60:00Z', 'T23:59:61Z'])
      expect(() => parseTimestamp(`2027-03-02${time}`, '/timestamp')).toThrow('must be a moment')
    expect(parseStart('9999-12-31', '/timestamp', NOW)).toBe('9999-12-31T00:00:00.000Z')
  })
})
