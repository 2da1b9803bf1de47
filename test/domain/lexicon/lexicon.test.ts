import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createLexicon, type Lexicon, NO_LEXICON } from '../../../src/domain/lexicon/lexicon.js'
import { stemOf } from '../../../src/domain/search/text-analysis.js'
import { lexicon } from '../insight/support.js'

/** One word beside one other. */
function oneToOne({ beside }: Lexicon) {
  const likeness = (a: string, b: string) => beside([{ word: a, stem: a }])({ word: b, stem: b })
  return {
    alike: (a: string, b: string) => likeness(a, b).alike[0] ?? Number.NaN,
    kin: (a: string, b: string) => likeness(a, b).kin[0] ?? Number.NaN,
  }
}

describe('a lexicon', () => {
  const made = oneToOne(
    createLexicon({
      words: ['east', 'also', 'north', 'west'],
      vectors: Int8Array.from([127, 0, 102, 76, 0, 127, -127, 0]),
      kin: ['cach store7 buffer5', 'kei', '2fa login9'],
    }),
  )

  test('words used alike are alike, the more the nearer their vectors', () => {
    expect(made.alike('east', 'east')).toBe(1)
    expect(made.alike('east', 'also')).toBeCloseTo((102 / 127 - 0.4) / 0.6, 10)
    expect(made.alike('east', 'also')).toBeGreaterThan(made.alike('north', 'also'))
  })

  test('words that have nothing to do with each other are not, nor are opposites', () => {
    expect(made.alike('east', 'north')).toBe(0)
    expect(made.alike('east', 'west')).toBe(0)
  })

  test('an unknown word is like nothing, not even itself', () => {
    expect(made.alike('east', 'zebra')).toBe(0)
    expect(made.alike('zebra', 'zebra')).toBe(0)
    expect(made.alike('__proto__', 'constructor')).toBe(0)
  })

  test('kin is read in tenths, and only in the direction in which it is stated', () => {
    expect(made.kin('cach', 'store')).toBe(0.7)
    expect(made.kin('cach', 'buffer')).toBe(0.5)
    expect(made.kin('store', 'cach')).toBe(0)
    expect(made.kin('2fa', 'login')).toBe(0.9)
    expect(made.kin('kei', 'lock')).toBe(0)
    expect(made.kin('zebra', 'lock')).toBe(0)
  })

  test('for those who know nothing every word means only itself', () => {
    const { alike, kin } = oneToOne(NO_LEXICON)
    expect(alike('car', 'vehicle')).toBe(0)
    expect(kin('car', 'auto')).toBe(0)
  })
})

describe('the lexicon that comes with the package', () => {
  test('everyday words tell half as much as rare ones, and unknown ones tell all', async () => {
    const { tells } = await lexicon
    expect(tells('time')).toBe(0.5)
    expect(tells(stemOf('borrowed'))).toBeGreaterThan(tells('time'))
    expect(tells(stemOf('borrowed'))).toBeLessThan(1)
    expect(tells('idempot')).toBe(1)
    expect(tells('__proto__')).toBe(1)
    expect(NO_LEXICON.tells('time')).toBe(1)
  })

  test('knows words that mean about the same', async () => {
    const { alike, kin } = oneToOne(await lexicon)
    expect(alike('doctor', 'physician')).toBeGreaterThan(alike('doctor', 'banana'))
    expect(alike('car', 'vehicle')).toBeGreaterThan(0.3)
    expect(kin('car', 'automobil')).toBe(0.9)
    expect(kin('error', 'mistak')).toBe(0.9)
    expect(kin('car', 'banana')).toBe(0)
  })

  test('any two words: within 0..1, the same both ways, and most with themselves', async () => {
    const { alike } = oneToOne(await lexicon)
    const word = fc.constantFrom('car', 'banana', 'doctor', 'error', 'fast', 'server', 'qzxv', 'été', '缓存')
    fc.assert(
      fc.property(word, word, (a, b) => {
        expect(alike(a, b)).toBe(alike(b, a))
        expect(alike(a, b)).toBeGreaterThanOrEqual(0)
        // A vector of signed bytes is a unit vector only as far as bytes go.
        expect(alike(a, b)).toBeLessThanOrEqual(1.02)
        if (alike(a, a) > 0 && a !== b) expect(alike(a, b)).toBeLessThan(alike(a, a))
      }),
    )
  })
})
