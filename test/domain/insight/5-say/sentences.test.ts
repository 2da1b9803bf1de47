import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MOST_WORDS, shortened, wordCount } from '../../../../src/domain/insight/5-say/sentences.js'
import { LONE_SURROGATE } from '../support.js'

const words = (n: number) => Array.from({ length: n }, (_, i) => `w${i}`).join(' ')

describe('a text that is short enough', () => {
  test.each(['', 'one', words(MOST_WORDS), 'x'.repeat(200)])('stays as it is (%#)', (text) => {
    expect(shortened(text)).toBe(text)
  })

  test('is at most 80 words', () => {
    expect(MOST_WORDS).toBe(80)
  })
})

describe('a text that is too long', () => {
  test('is cut after the last word that has room, and says so', () => {
    expect(shortened(words(81))).toBe(`${words(80)}…`)
    expect(shortened('one two three', 2)).toBe('one two…')
  })

  test('has no word longer than a line', () => {
    const cut = shortened(`see ${'x'.repeat(4000)} there`)
    expect(cut).toBe(`see ${'x'.repeat(199)}… there`)
  })

  test('never cuts a character in two', () => {
    for (const before of [197, 198, 199, 200]) {
      const cut = shortened(`${'x'.repeat(before)}😀😀😀`)
      expect(cut).not.toMatch(LONE_SURROGATE)
      expect(cut.length).toBeLessThanOrEqual(200)
    }
  })

  test('keeps to words and characters, splits no surrogates, and is stable', () => {
    const word = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 12 }),
      fc.constantFrom('😀'.repeat(150), 'x'.repeat(500), '語'.repeat(300)),
    )
    fc.assert(
      fc.property(fc.array(word, { maxLength: 120 }), fc.integer({ min: 1, max: 80 }), (all, most) => {
        const cut = shortened(all.join(' '), most)
        expect(wordCount(cut)).toBeLessThanOrEqual(most)
        expect(cut.length).toBeLessThanOrEqual(8_000)
        expect(cut).not.toMatch(LONE_SURROGATE)
        expect(Math.max(...cut.split(' ').map(({ length }) => length))).toBeLessThanOrEqual(201)
        expect(shortened(cut, most)).toBe(cut)
      }),
    )
  })
})
