import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { adviceOf, statementOf } from '../../../../src/domain/insight/statement.js'
import type { JsonObject } from '../../../../src/domain/model.js'
import { textOf } from '../../../../src/domain/text.js'
import { LONE_SURROGATE } from '../support.js'

const SAID = '2025-03-01T12:00:00.000Z'
const state = (payload: JsonObject) => statementOf({ payload, occurredAt: SAID })
const advise = (payload: JsonObject) => adviceOf({ payload, occurredAt: SAID })
const undated = (text: string) =>
  text.replace(/ \((?:(?:around |the week of )?\d{1,2} )?(?:[A-Z][a-z]+ )?\d{4}\)/g, '')

describe('a memory is told in its own words', () => {
  test.each([
    'npm ci --ignore-scripts',
    'kubectl rollout restart deploy/api',
    'useMemo caches a value',
    'https://example.com/a?b=c#d',
    '休暇は二月までに申請してください。',
    'يجب تقديم الطلب قبل فبراير',
    'für Änderungen gilt: erst fragen',
    'select * from orders where day >= today() - 7',
    'Run `date -d yesterday +%F` and pass it to report.sh --day today',
    'Our press contact at USA Today is Mary',
    'He said "we ship tomorrow"',
  ])('%s', (text) => {
    expect(state({ text })).toBe(text)
    expect(advise({ fix: text })).toBe(text)
  })

  test('fields have their names, joined by semicolons', () => {
    expect(state({ symptom: 'slow', root_cause: 'no index' })).toBe('symptom: slow; root cause: no index')
  })

  test('a plain relative date gets its date in brackets', () => {
    expect(state({ text: 'Broken since yesterday' })).toBe('Broken since yesterday (28 February 2025)')
    expect(advise({ fix: 'redo what broke yesterday' })).toBe('redo what broke yesterday (28 February 2025)')
  })

  const fragment = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 40 }),
    fc.constantFrom(
      '`rm -rf ./dist`',
      'git checkout -b fix/yesterday',
      'const a = today() - 7',
      'https://a.example/last%20week',
      '昨日デプロイした',
      'النشر غدًا',
      'Gestern lief es, heute nicht',
      'last Monday we shipped',
      '"three weeks ago"',
      'todayś',
      'two days ago',
    ),
  )

  test('whatever it holds, what is told stands in its text, but for joints and bracketed dates', () => {
    const payload = fc.dictionary(
      fc.oneof(fc.constantFrom('text', 'fix', 'note', 'decision', 'cause'), fc.string({ maxLength: 8 })),
      fc.oneof(
        fc.array(fragment, { maxLength: 4 }).map((parts) => parts.join(' ')),
        fc.integer(),
        fc.boolean(),
      ),
      { minKeys: 1, maxKeys: 4 },
    ) as fc.Arbitrary<JsonObject>
    fc.assert(
      fc.property(payload, (given) => {
        const text = textOf(given)
        expect(undated(state(given))).toBe(undated(text))
        for (const line of advise(given).split('\n')) expect(undated(text)).toContain(undated(line))
        expect(state(given)).not.toMatch(LONE_SURROGATE)
      }),
      { numRuns: 500 },
    )
  })
})

describe('what to do comes first', () => {
  test.each([
    'recommendation',
    'fix',
    'resolution',
    'decision',
    'rule',
    'action',
    'advice',
    'instruction',
    'lesson',
  ])('%s', (field) => {
    expect(advise({ symptom: 'slow', [field]: 'index the column' })).toBe('index the column\nsymptom: slow')
  })

  test('the most direct of several', () => {
    expect(advise({ decision: 'cache it', fix: 'add an index' })).toBe('add an index\ndecision: cache it')
  })

  test('a field that holds no text is no advice', () => {
    for (const fix of [null, '', '  ', 7, ['x'], { a: 'b' }])
      expect(advise({ fix, text: 'slow' })).toBe(state({ fix, text: 'slow' }))
  })

  test('names of the prototype are fields like any other', () => {
    expect(state(JSON.parse('{"__proto__":"a","constructor":"b"}'))).toBe('proto: a; constructor: b')
    expect(advise(JSON.parse('{"__proto__":{"fix":"x"},"text":"b"}'))).toBe('proto: fix: x; b')
  })
})
