import { beforeAll, describe, expect, test } from 'vitest'
import type { Encoder } from '../../../src/domain/meaning/encoder.js'
import { loadModels } from '../../../src/service/meaning/load-models.js'
import { checkModel } from '../../../src/service/meaning/model-files.js'
import { apart, readGolden } from '../../support/golden.js'

const golden = readGolden()
let encoder: Encoder

beforeAll(async () => {
  encoder = (await loadModels(await checkModel())).encoder
})

describe('the encoder', () => {
  test.each(golden)('gives the reference vector of $text', ({ ids, i16 }) => {
    expect(apart(encoder.encodeIds(ids), i16)).toBeLessThan(0.002)
  })

  test('reads a text that fits into one window as its ids', () => {
    const short = golden.filter(({ ids }) => ids.length < 96)
    expect(short).toHaveLength(golden.length - 1)
    for (const { text, ids } of short) expect(encoder.encode(text)).toEqual(encoder.encodeIds(ids))
  })

  test('reads what comes after the first 96 tokens, up to a limit', () => {
    const topic = 'The invoice is paid by card within thirty days. '
    const end = 'Bertha the kiln takes nine hours to cool.'
    expect(encoder.encode(topic.repeat(15) + end)).not.toEqual(encoder.encode(topic.repeat(15)))
    expect(encoder.encode(topic.repeat(90) + end)).toEqual(encoder.encode(topic.repeat(90)))
  })

  test('a vector has unit length and does not depend on what was read before', () => {
    const before = encoder.encode('They pay by bank transfer')
    encoder.encode('word '.repeat(200))
    expect(encoder.encode('They pay by bank transfer')).toEqual(before)
    expect(before.reduce((sum, component) => sum + component ** 2, 0)).toBeCloseTo(1, 5)
  })

  test.each([
    ['nothing', ''],
    ['one character', 'x'],
    ['64 KiB of one word', 'x'.repeat(65_536)],
    ['64 KiB of emoji', '🙂 '.repeat(13_107)],
    ['a lone surrogate', '\ud800'],
    ['white space', ' \n\t'],
  ])('%s has a vector', (_, text) => {
    const vector = encoder.encode(text)
    expect(vector).toHaveLength(384)
    expect(vector.every(Number.isFinite)).toBe(true)
  })
})
