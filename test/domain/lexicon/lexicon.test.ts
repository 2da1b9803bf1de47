import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createLexicon, type Lexicon, NO_LEXICON } from '../../../src/domain/lexicon/lexicon.js'
import { stemOf } from '../../../src/domain/search/text-analysis.js'
import { lexicon } from '../insight/support.js'

/** One word beside one other. */
function oneToOne({ compare }: Lexicon) {
  const likeness = (a: string, b: string) => compare([{ word: a, stem: a }])({ word: b, stem: b })
  return {
    embedding: (a: string, b: string) => likeness(a, b).embedding[0] ?? Number.NaN,
    thesaurus: (a: string, b: string) => likeness(a, b).thesaurus[0] ?? Number.NaN,
  }
}

describe('a lexicon', () => {
  const made = oneToOne(
    createLexicon({
      words: ['east', 'also', 'north', 'west'],
      vectors: Int8Array.from([127, 0, 102, 76, 0, 127, -127, 0]),
      thesaurus: ['cach store7 buffer5', 'kei', '2fa login9'],
    }),
  )

  test('words used embedding are embedding, the more the nearer their vectors', () => {
    expect(made.embedding('east', 'east')).toBe(1)
    expect(made.embedding('east', 'also')).toBeCloseTo((102 / 127 - 0.4) / 0.6, 10)
    expect(made.embedding('east', 'also')).toBeGreaterThan(made.embedding('north', 'also'))
  })

  test('words that have nothing to do with each other are not, nor are opposites', () => {
    expect(made.embedding('east', 'north')).toBe(0)
    expect(made.embedding('east', 'west')).toBe(0)
  })

  test('an unknown word is like nothing, not even itself', () => {
    expect(made.embedding('east', 'zebra')).toBe(0)
    expect(made.embedding('zebra', 'zebra')).toBe(0)
    expect(made.embedding('__proto__', 'constructor')).toBe(0)
  })

  test('thesaurus is read in tenths, and only in the direction in which it is stated', () => {
    expect(made.thesaurus('cach', 'store')).toBe(0.7)
    expect(made.thesaurus('cach', 'buffer')).toBe(0.5)
    expect(made.thesaurus('store', 'cach')).toBe(0)
    expect(made.thesaurus('2fa', 'login')).toBe(0.9)
    expect(made.thesaurus('kei', 'lock')).toBe(0)
    expect(made.thesaurus('zebra', 'lock')).toBe(0)
  })

  test('for those who know nothing every word means only itself', () => {
    const { embedding, thesaurus } = oneToOne(NO_LEXICON)
    expect(embedding('car', 'vehicle')).toBe(0)
    expect(thesaurus('car', 'auto')).toBe(0)
  })
})

describe('the lexicon that comes with the package', () => {
  test('everyday words tell half as much as rare ones, and unknown ones tell all', async () => {
    const { rarity } = await lexicon
    expect(rarity('time')).toBe(0.5)
    expect(rarity(stemOf('borrowed'))).toBeGreaterThan(rarity('time'))
    expect(rarity(stemOf('borrowed'))).toBeLessThan(1)
    expect(rarity('idempot')).toBe(1)
    expect(rarity('__proto__')).toBe(1)
    expect(NO_LEXICON.rarity('time')).toBe(1)
  })

  test('knows words that mean about the same', async () => {
    const { embedding, thesaurus } = oneToOne(await lexicon)
    expect(embedding('doctor', 'physician')).toBeGreaterThan(embedding('doctor', 'banana'))
    expect(embedding('car', 'vehicle')).toBeGreaterThan(0.3)
    expect(thesaurus('car', 'automobil')).toBe(0.9)
    expect(thesaurus('error', 'mistak')).toBe(0.9)
    expect(thesaurus('car', 'banana')).toBe(0)
  })

  test('any two words: within 0..1, the same both ways, and most with themselves', async () => {
    const { embedding } = oneToOne(await lexicon)
    const word = fc.constantFrom('car', 'banana', 'doctor', 'error', 'fast', 'server', 'qzxv', 'été', '缓存')
    fc.assert(
      fc.property(word, word, (a, b) => {
        expect(embedding(a, b)).toBe(embedding(b, a))
        expect(embedding(a, b)).toBeGreaterThanOrEqual(0)
        // A vector of signed bytes is a unit vector only as far as bytes go.
        expect(embedding(a, b)).toBeLessThanOrEqual(1.02)
        if (embedding(a, a) > 0 && a !== b) expect(embedding(a, b)).toBeLessThan(embedding(a, a))
      }),
    )
  })
})
