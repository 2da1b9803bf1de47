import { describe, expect, test } from 'vitest'
import { dayOf, instructionOf, wasValidUntil } from '../../../src/domain/insight/statement.js'

const FIELDS = [
  ...['recommendation', 'fix', 'resolution', 'decision', 'rule', 'action', 'advice', 'instruction', 'lesson'],
]

describe('an instruction', () => {
  test.each(FIELDS)('is what the field %s holds', (field) => {
    expect(instructionOf({ payload: { symptom: 'slow', [field]: 'index the column' } })).toBe(
      'index the column',
    )
  })

  test('is the most direct of several', () => {
    expect(instructionOf({ payload: { decision: 'cache it', fix: 'add an index' } })).toBe('add an index')
  })

  test.each([null, '', '  ', 7, ['x'], { a: 'b' }])('is not a field that holds no text: %j', (fix) => {
    expect(instructionOf({ payload: { fix, text: 'slow' } })).toBeUndefined()
  })

  test('is none in the prototype of a payload', () => {
    expect(instructionOf({ payload: JSON.parse('{"__proto__":{"fix":"x"},"text":"b"}') })).toBeUndefined()
  })

  test.each([
    'npm ci --ignore-scripts',
    'select * from orders where day >= today() - 7',
    'Run `date -d yesterday +%F` and pass it to report.sh --day today',
    '休暇は二月までに申請してください。',
    'يجب تقديم الطلب قبل فبراير',
  ])('is shown in its own words: %s', (fix) => expect(instructionOf({ payload: { fix } })).toBe(fix))
})

test.each([
  ['2026-05-05T00:30:00.000Z', '5 May 2026'],
  ['2025-12-31T23:59:59.999Z', '31 December 2025'],
])('the day of %s is %s, in UTC', (moment, day) => expect(dayOf(moment)).toBe(day))

test.each([
  ['2020-01-05T00:00:00.000Z', 'was valid until 2020-01-05'],
  ['2020-01-05T17:30:00.000Z', 'was valid until 2020-01-05 17:30 UTC'],
])('what ran out says when, to the minute unless that is midnight: %s', (validUntil, said) =>
  expect(wasValidUntil({ validUntil })).toBe(said),
)
