import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { actionability, adviceOf, statementOf } from '../../../../src/domain/insight/5-say/statement.js'
import type { JsonObject } from '../../../../src/domain/model.js'
import { LONE_SURROGATE, memoryOf } from '../support.js'

const SAID = '2025-03-01T12:00:00.000Z'
const state = (payload: JsonObject) => statementOf({ payload, occurredAt: SAID })
const advise = (payload: JsonObject) => adviceOf({ payload, occurredAt: SAID })

describe('what a memory says', () => {
  test.each([
    ['a text', { text: 'use pnpm' }, 'Use pnpm.'],
    ['a sentence keeps its end', { text: 'Why not?' }, 'Why not?'],
    ['also within quotes and brackets', { text: 'He said "stop!"' }, 'He said "stop!"'],
    ['an ellipsis is an end', { text: 'And so on…' }, 'And so on…'],
    ['a field with its name', { root_cause: 'a stale cache' }, 'Root cause: a stale cache.'],
    ['each field a sentence', { symptom: 'slow', fix: 'index it' }, 'Symptom: slow. Fix: index it.'],
    ['numbers and booleans', { retries: 3, flaky: false }, 'Retries: 3. Flaky: false.'],
    ['a list', { steps: ['build', 'test'] }, 'Steps: build, test.'],
    ['an object within', { fix: { file: 'a.ts', line: 7 } }, 'Fix: file: a.ts; line: 7.'],
    ['nothing to say is left out', { a: null, b: '', c: [], text: 'x' }, 'X.'],
    ['an empty payload', {}, ''],
    ['a topic opens what has no name', { topic: 'deploys', text: 'are frozen' }, 'Deploys: are frozen.'],
    ['wherever it stands', { text: 'are frozen', topic: 'deploys' }, 'Deploys: are frozen.'],
    ['a topic before a named field', { topic: 'deploys', rule: 'ask first' }, 'Deploys. Rule: ask first.'],
    ['a topic alone', { topic: 'deploys' }, 'Deploys.'],
    ['a topic that is no text', { topic: 7, text: 'x' }, 'Topic: 7. X.'],
    [
      'relative dates are resolved',
      { text: 'Broken since yesterday' },
      'Broken since yesterday (28 February 2025).',
    ],
    ['another script', { text: '缓存过期时间是一小时' }, '缓存过期时间是一小时.'],
    ['line breaks are spaces', { text: 'one\n\ntwo\u0085three' }, 'One two three.'],
  ] satisfies [string, JsonObject, string][])('%s', (_, payload, said) => {
    expect(state(payload)).toBe(said)
  })

  test('names of the prototype are fields like any other', () => {
    expect(state(JSON.parse('{"__proto__":"a","constructor":"b"}'))).toBe('Proto: a. Constructor: b.')
    expect(advise(JSON.parse('{"__proto__":{"fix":"x"},"text":"b"}'))).toBe('Proto: fix: x. B.')
  })

  test('is one line and well-formed for any payload', () => {
    const payload = fc.dictionary(
      fc.string({ unit: 'grapheme', maxLength: 8 }),
      fc.jsonValue({ maxDepth: 3, stringUnit: 'grapheme' }),
    ) as fc.Arbitrary<JsonObject>
    fc.assert(
      fc.property(payload, (given) => {
        for (const text of [state(given), advise(given)]) {
          expect(text).not.toMatch(/[\n\r\p{Cc}]/u)
          expect(text).not.toMatch(LONE_SURROGATE)
        }
      }),
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
    expect(advise({ symptom: 'slow', [field]: 'index the column' })).toBe('Index the column. Symptom: slow.')
    expect(actionability(memoryOf({ symptom: 'slow', [field]: 'index the column' }))).toBe(1)
  })

  test('the most direct of several', () => {
    expect(advise({ decision: 'cache it', fix: 'add an index' })).toBe('Add an index. Decision: cache it.')
    expect(advise({ fix: 'add an index', recommendation: 'measure first' })).toBe(
      'Measure first. Fix: add an index.',
    )
  })

  test('a field that holds no text is no advice', () => {
    for (const fix of [null, '', '  ', 7, ['x'], { a: 'b' }])
      expect(advise({ fix, text: 'slow' })).toBe(state({ fix, text: 'slow' }))
  })

  test('without such a field, what the memory says', () => {
    expect(advise({ text: 'the cache is slow' })).toBe('The cache is slow.')
  })

  test('dates are resolved in it too', () => {
    expect(advise({ fix: 'redo what broke yesterday' })).toBe('Redo what broke yesterday (28 February 2025).')
  })
})

describe('how much a memory tells what to do', () => {
  const telling = (text: string, eventKind: 'fact' | 'decision' | 'feedback' | 'observation' = 'fact') =>
    actionability(memoryOf({ text }, { eventKind }))

  test('a field of its own, then words of instruction, then a decision or feedback, then the rest', () => {
    expect(actionability(memoryOf({ fix: 'x' }))).toBeGreaterThan(telling('always drain first'))
    expect(telling('always drain first')).toBeGreaterThan(telling('pnpm it is', 'decision'))
    expect(telling('pnpm it is', 'decision')).toBe(telling('pnpm it is', 'feedback'))
    expect(telling('pnpm it is', 'decision')).toBeGreaterThan(telling('pnpm it is', 'observation'))
  })

  test('whole words only', () => {
    expect(telling('the user was reset')).toBe(telling('nothing here'))
    expect(telling('Do not retry')).toBe(telling('retries need to wait'))
  })
})
