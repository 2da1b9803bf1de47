import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { analyse } from '../../../src/domain/insight/query.js'

describe('a question taken apart', () => {
  test('has each stem once, in order, without stop words', () => {
    expect(analyse('How does the cache cache cached builds?').terms).toEqual(['cach', 'build'])
  })

  test('keeps identifiers whole and in parts, numbers, and other scripts', () => {
    const { terms } = analyse('useEffect 503 缓存')
    expect(terms.slice(0, 4)).toEqual(['us', 'effect', 'useeffect', '503'])
    expect(terms.slice(4).join('')).toBe('缓存')
  })
})

describe('clauses', () => {
  test.each([
    ['at a comma', 'rotate signing keys, restart the gateway'],
    ['at a question mark', 'rotate signing keys? restart the gateway'],
    ['at a semicolon', 'rotate signing keys; restart the gateway'],
    ['at and', 'rotate signing keys and restart the gateway'],
    ['at THEN', 'rotate signing keys THEN restart the gateway'],
    ['at several', 'rotate signing keys, but then: restart the gateway.'],
  ])('%s', (_, text) => {
    expect(analyse(text).clauses).toEqual([
      ['rotat', 'sign', 'kei'],
      ['restart', 'gatewai'],
    ])
  })

  test('a clause of one stem is none, and one clause is the whole', () => {
    expect(analyse('well, rotate signing keys').clauses).toEqual([['well', 'rotat', 'sign', 'kei']])
    expect(analyse('rotate signing keys').clauses).toEqual([['rotat', 'sign', 'kei']])
  })

  test('not within a word', () => {
    expect(analyse('android vendor standing').clauses).toHaveLength(1)
  })
})

describe('what is asked for', () => {
  test.each([
    ['Who owns billing?', true],
    ['whose pager is it', true],
    ['To whom does it go', true],
    ['the whole story', false],
    ['What owns billing?', false],
  ])('who: %s', (text, expected) => {
    expect(analyse(text).asksWho).toBe(expected)
  })

  test.each([
    ['When is the freeze?', true],
    ['how long does it last', true],
    ['what time is the sync', true],
    ['Which date was it', true],
    ['frozen until', true],
    ['whenever', false],
    ['What is the freeze?', false],
  ])('when: %s', (text, expected) => {
    expect(analyse(text).asksWhen).toBe(expected)
  })
})

describe('nothing to search for', () => {
  test.each(['', '   ', 'what is the', '?!…', '—', '\u200b'])('%j has no terms', (text) => {
    const query = analyse(text)
    expect(query.terms).toEqual([])
    expect(query.clauses).toEqual([[]])
  })
})

test('any text: terms are distinct, and those of each clause too', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 80 }), (text) => {
      const { terms, clauses } = analyse(text)
      expect(new Set(terms).size).toBe(terms.length)
      expect(clauses.length).toBeGreaterThan(0)
      for (const clause of clauses) expect(new Set(clause).size).toBe(clause.length)
    }),
  )
})
