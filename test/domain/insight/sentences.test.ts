import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  abridged,
  beginningOf,
  MAX_WORDS,
  shortened,
  wordCount,
} from '../../../src/domain/insight/sentences.js'
import { LONE_SURROGATE } from './support.js'

const FILLER =
  ' after the retention period of the contract has passed and the lawyer has been asked and the manager agrees'
const clauses = (n: number) =>
  Array.from({ length: n }, (_, i) => `the ${i}th of the parts is in the box`).join(', ')

const WORD = fc.constantFrom(
  'the',
  'of',
  'a',
  'is',
  'box',
  'moved,',
  'yard.',
  'never',
  'if',
  'clay;',
  'and',
  'in',
)

describe('a text that is short enough stays as it is', () => {
  test.each(['', 'one', clauses(8), 'x'.repeat(2000), '語'.repeat(2000)])('%#', (text) => {
    expect(abridged(text)).toBe(text)
  })

  test('an insight has room for 80 words', () => expect(MAX_WORDS).toBe(80))
})

describe('a long text', () => {
  test('is cut at a clause, and says so', () => {
    const text = abridged(clauses(30))
    expect(wordCount(text)).toBeLessThanOrEqual(MAX_WORDS + 1)
    expect(text).toMatch(/in the box, …$/)
  })

  test.each([
    'but never in production',
    'unless the auditor is there',
    'except on Fridays',
    'if it has been paid',
  ])('keeps its condition: %s', (condition) => {
    const text = abridged(`You may delete the folder${', as the office is told'.repeat(40)}, ${condition}`)
    expect(text).toContain(`… ${condition}`)
    expect(wordCount(text)).toBeLessThanOrEqual(MAX_WORDS + 10)
  })

  test('is told whole where every clause is a condition', () => {
    const text = `You may delete the customer folder${FILLER.repeat(4)}, but never in production`
    expect(abridged(text)).toBe(text)
  })

  test('that is not English prose is not cut: its conditions cannot be told from the rest', () => {
    const german = `Der Ordner darf gelöscht werden, ${'wenn die Frist abgelaufen ist, '.repeat(30)}aber nie im Betrieb`
    expect(abridged(german)).toBe(german)
  })

  test('of 64 KiB is cut to what an answer may hold, never through a character', () => {
    for (const text of ['a'.repeat(65_536), `${'x'.repeat(5_998)}${'😀'.repeat(100)}`]) {
      const told = abridged(text)
      expect(told).toMatch(/…$/)
      expect(told.length).toBeLessThanOrEqual(6_000)
      expect(told).not.toMatch(LONE_SURROGATE)
    }
  })

  test('every piece between two ellipses stands in the text', () => {
    fc.assert(
      fc.property(
        fc.array(WORD, { minLength: 60, maxLength: 300 }),
        fc.integer({ min: 5, max: 80 }),
        (words, most) => {
          const whole = words.join(' ')
          const text = abridged(whole, most)
          for (const piece of text.split('…')) expect(whole).toContain(piece.trim())
          expect(text.includes('…')).toBe(text !== whole)
          const limits = (of: string) => of.match(/\b(?:never|if)\b/g)?.length ?? 0
          expect(limits(text)).toBe(limits(whole))
        },
      ),
    )
  })
})

describe('a text that has to fit', () => {
  test('fits, and keeps the clauses before the first that does not, and every condition', () => {
    const text = `${clauses(30)}, but never on Sundays`
    expect(shortened(text, 110)).toBe(
      'the 0th of the parts is in the box, the 1th of the parts is in the box, … but never on Sundays',
    )
  })

  test('is not shortened to next to nothing, nor where a condition has no room, nor where it is no prose', () => {
    expect(shortened(`decision: ${'the box is in the yard '.repeat(9)}`, 60)).toBeUndefined()
    expect(shortened(`Delete it, ${clauses(9)}, but only if the auditor is there`, 30)).toBeUndefined()
    expect(shortened('error, '.repeat(90), 100)).toBeUndefined()
    expect(shortened(clauses(9), -1)).toBeUndefined()
  })

  test('never has more characters than there is room for, nor fewer conditions than before', () => {
    let fitted = 0
    fc.assert(
      fc.property(fc.array(WORD, { minLength: 20, maxLength: 200 }), fc.nat(400), (words, room) => {
        const whole = words.join(' ')
        const text = shortened(whole, room)
        if (text === undefined) return
        fitted++
        expect(text.length).toBeLessThanOrEqual(room)
        for (const piece of text.split('…')) expect(whole).toContain(piece.trim())
        const limits = (of: string) => of.match(/\b(?:never|if)\b/g)?.length ?? 0
        expect(limits(text)).toBe(limits(whole))
      }),
    )
    expect(fitted).toBeGreaterThan(0)
  })
})

test('the beginning of a task is one line', () => {
  expect(beginningOf('  which\nport?  ', 40)).toBe('which port?')
  expect(beginningOf('one two three', 2)).toBe('one two…')
  expect(beginningOf('x'.repeat(4000), 40).length).toBeLessThanOrEqual(300)
})
