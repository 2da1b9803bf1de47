import { describe, expect, test } from 'vitest'
import { WordPieces } from '../../../src/domain/meaning/word-pieces.js'
import { readWordPieces } from '../../../src/service/meaning/model-files.js'
import { readGolden } from '../../support/golden.js'

const golden = readGolden()
const words = await readWordPieces()
const [CLS, SEP, UNK] = [101, 102, 100]

describe('word pieces', () => {
  test.each(golden)('the reference ids of $text', ({ text, ids }) => {
    expect(words.idsOf(text, 96)).toEqual(ids)
  })

  test.each([
    ['control characters vanish within a word', 'te\u0000s\u200dt\ufffd', 'test'],
    ['line feeds, tabs and wide spaces part words', 'a\nb\tc\u3000d\u00a0e', 'a b c d e'],
    ['case and accents do not matter', 'NAÏVE Café', 'naive cafe'],
    ['composed and decomposed accents are the same', 'cafe\u0301', 'café'],
    ['punctuation stands alone, symbols of ASCII included', 'a=b+c~d', 'a = b + c ~ d'],
    ['punctuation beyond ASCII stands alone', 'a—b…c«d»', 'a — b … c « d »'],
    ['a Greek question mark is a semicolon', 'a\u037eb', 'a ; b'],
    ['Chinese characters stand alone', '決a済', '決 a 済'],
    ['a capital sigma at the end of a word is a sigma', 'ΟΔΟΣ', 'οδοσ'],
    ['a lone surrogate vanishes', 'te\ud83dst', 'test'],
  ])('%s', (_, text, same) => expect(words.idsOf(text, 96)).toEqual(words.idsOf(same, 96)))

  test('a word of 100 characters is looked up, one of 101 is unknown', () => {
    expect(words.idsOf('a'.repeat(100), 200)).not.toContain(UNK)
    expect(words.idsOf('a'.repeat(101), 200)).toEqual([CLS, UNK, SEP])
  })

  test('characters beyond the first plane count as one', () => {
    expect(new WordPieces(['[UNK]', '[CLS]', '[SEP]', '𝟘', '##𝟘']).idsOf('𝟘'.repeat(100), 200)).toHaveLength(
      102,
    )
  })

  test('a word with an unknown part is unknown as a whole', () => {
    expect(words.idsOf('test🙂ing', 96)).toEqual([CLS, UNK, SEP])
  })

  test('never more than asked for, and the end is marked', () => {
    for (const most of [2, 3, 50, 96]) {
      const ids = words.idsOf('unbelievably long '.repeat(100), most)
      expect(ids).toHaveLength(most)
      expect(ids.at(-1)).toBe(SEP)
    }
  })

  test('names of special pieces in a text are ordinary words', () => {
    expect(words.idsOf('[SEP] [CLS] [MASK]', 96).slice(1, -1)).not.toContain(SEP)
  })

  test.each([
    ['one word', 'x'.repeat(65_536)],
    ['emoji', '🙂'.repeat(16_384)],
    ['emoji apart', '🙂 '.repeat(13_107)],
    ['accents', 'é\u0301'.repeat(16_384)],
    ['white space', ' '.repeat(65_536)],
  ])('64 KiB of %s are read', (_, text) => expect(words.idsOf(text, 96).length).toBeLessThanOrEqual(96))
})
