import { describe, expect, test } from 'vitest'
import { lineOf } from '../../../src/domain/brief/brief.js'
import { toMarkdown } from '../../../src/domain/insight/recalled-text.js'
import { beginning, dayOf, instructionOf, wasValidUntil } from '../../../src/domain/insight/statement.js'
import type { Memory, Status, Trust } from '../../../src/domain/model.js'

const TRUSTED: Trust = {
  ...{ confidence: 0.7, status: 'current', agreement: 0, lastStatedAt: '2026-03-02T09:30:00.000Z' },
  ...{ supersededBy: [], supersedes: [], disputedBy: [] },
}

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

describe('what is planned says from when it holds', () => {
  const occurredAt = '2026-03-02T09:30:00.000Z'
  const validFrom = '2027-01-01T00:00:00.000Z'
  const trust = (status: Status) => ({ ...TRUSTED, status })

  test('from its valid_from, or else from its timestamp', () => {
    expect(beginning({ occurredAt, validFrom, trust: trust('planned') })).toBe('From 1 January 2027: ')
    expect(beginning({ occurredAt, trust: trust('planned') })).toBe('From 2 March 2026: ')
  })

  test.each(['current', 'superseded', 'expired', 'stale'] as const)('nothing else does: %s', (status) =>
    expect(beginning({ occurredAt, validFrom, trust: trust(status) })).toBe(''),
  )

  test('in recalled text and in a brief, which also mark what has expired', () => {
    const memory = (status: Status): Memory => ({
      ...{ memoryId: 'mem_1', seq: 1, contextId: 'contract:flat', eventKind: 'fact', source: 'user' },
      ...{ payload: { rent: 990 }, text: 'rent: 990', links: [], recordedAt: occurredAt, timesSeen: 1 },
      ...{ occurredAt, validFrom, trust: trust(status) },
    })
    const recalled = (status: Status) => toMarkdown([{ memory: memory(status), score: 1 }] as never).memories
    const facts = '- **contract:flat** (2026-03-02, user, confidence 0.70, '
    expect(recalled('planned')).toBe(`${facts}planned): From 1 January 2027: rent: 990\n`)
    expect(recalled('expired')).toBe(`${facts}expired): rent: 990\n`)
    const where = '(contract:flat, recorded 2026-03-02 by user'
    expect(lineOf(memory('planned'), 400)).toBe(`- From 1 January 2027: rent: 990 ${where})`)
    expect(lineOf(memory('expired'), 400)).toBe(`- rent: 990 ${where}, expired)`)
  })
})
