import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Reader } from '../../../src/domain/meaning/reader.js'
import { loadModels } from '../../../src/service/meaning/load-models.js'
import { checkModel, readWordPieces } from '../../../src/service/meaning/model-files.js'
import { readGoldenPairs } from '../../support/golden.js'

const golden = readGoldenPairs()
/** For each reference question its logits with each reference text, as this program gave them when it was written. */
const exact: number[][] = JSON.parse(
  readFileSync(new URL('../../fixtures/exact-logits.json', import.meta.url), 'utf8'),
)
const words = await readWordPieces()
let reader: Reader

beforeAll(async () => {
  reader = (await loadModels(await checkModel())).reader
})

describe('the reader', () => {
  test.each(golden)('is given the reference ids and sides of "$first" and "$second"', (pair) => {
    const { ids, asked } = words.pairOf(pair.first, pair.second, 128)
    expect(ids).toEqual(pair.ids)
    expect(ids.map((_, i) => (i < asked ? 0 : 1))).toEqual(pair.sides)
  })

  test.each(golden)('gives the reference logit of "$first" and "$second"', ({ first, second, answers }) => {
    expect(Math.abs(reader.logitOf(first, second) - answers)).toBeLessThan(0.05)
  })

  test('M7: gives the same bytes on every machine and under every version of Node', () => {
    const logits = golden.map(({ first }) => golden.map(({ second }) => reader.logitOf(first, second)))
    expect(logits).toEqual(exact)
  })

  test('a logit does not depend on what was read before', () => {
    const before = reader.logitOf('Who is our accountant?', 'Nadia keeps our books')
    reader.logitOf('word '.repeat(200), 'word '.repeat(200))
    expect(reader.logitOf('Who is our accountant?', 'Nadia keeps our books')).toBe(before)
  })

  test.each([
    ['nothing', ''],
    ['64 KiB of one word', 'x'.repeat(65_536)],
    ['64 KiB of emoji', '🙂 '.repeat(13_107)],
    ['a lone surrogate', '\ud800'],
  ])('%s has a logit, asked and answered', (_, text) => {
    expect(reader.logitOf(text, 'We use vitest')).toSatisfy(Number.isFinite)
    expect(reader.logitOf('Which test runner do we use?', text)).toSatisfy(Number.isFinite)
    expect(reader.logitOf(text, text)).toSatisfy(Number.isFinite)
  })
})

describe('a pair', () => {
  test('that is too long is cut: the question to 64 word pieces, the whole to 128', () => {
    const { ids, asked } = words.pairOf('one '.repeat(100), 'two '.repeat(100), 128)
    expect([ids.length, asked]).toEqual([128, 66])
    expect([ids[65], ids[127]]).toEqual([102, 102])
  })

  test('leaves what a short question does not need to the text', () => {
    const { ids, asked } = words.pairOf('one', 'two '.repeat(200), 128)
    expect([ids.length, asked]).toEqual([128, 3])
  })
})
