import { afterEach, describe, expect, test } from 'vitest'
import { MeaningReader, MOST_WAITING, ReaderBusyError } from '../../../src/service/meaning/meaning-reader.js'
import { checkModel, ModelError } from '../../../src/service/meaning/model-files.js'
import { apart, readGolden } from '../../support/golden.js'

const golden = readGolden()
const model = await checkModel()
const readers: MeaningReader[] = []

afterEach(async () => {
  await Promise.all(readers.splice(0).map((reader) => reader.close()))
})

describe('a reader', () => {
  test('gives the reference vectors, in the order of the texts', async () => {
    // The one reference text of 96 tokens is longer than that, and is read further.
    const short = golden.filter(({ ids }) => ids.length < 96)
    const vectors = await newReader().encode(short.map(({ text }) => text))
    expect(vectors).toHaveLength(short.length)
    for (const [i, { i16 }] of short.entries()) expect(apart(vectors[i] ?? [], i16)).toBeLessThan(0.002)
  })

  test('what a caller waits for is read before the background', async () => {
    const reader = newReader()
    const order: string[] = []
    const background = reader
      .encode(['first', ...Array(20).fill('later')])
      .then(() => order.push('background'))
    const urgent = reader.encode(['question'], { urgent: true }).then(() => order.push('urgent'))
    expect(reader.waiting).toBe(22)
    await Promise.all([background, urgent])
    expect(order).toEqual(['urgent', 'background'])
    expect(reader.waiting).toBe(0)
  })

  test('no more texts wait than it has room for, and the others are still read', async () => {
    const reader = newReader()
    const few = reader.encode(['a', 'b'])
    await expect(reader.encode(Array(MOST_WAITING - 1).fill('c'))).rejects.toThrow(ReaderBusyError)
    expect(await few).toHaveLength(2)
  })

  test('no texts, no thread', async () => {
    expect(await newReader().encode([])).toEqual([])
  })

  test('closing rejects what waits and what comes', async () => {
    const reader = newReader()
    const waiting = expect(reader.encode(['a', 'b'])).rejects.toThrow('closed')
    await reader.close()
    await waiting
    await expect(reader.encode(['c'])).rejects.toThrow('closed')
    await reader.close()
  })

  test('damaged weights are reported to every caller', async () => {
    const reader = newReader({ ...model, sha256: '0'.repeat(64) })
    await expect(reader.encode(['a'])).rejects.toThrow(ModelError)
    await expect(reader.encode(['b'])).rejects.toThrow('damaged')
    expect(reader.waiting).toBe(0)
  })
})

function newReader(of = model): MeaningReader {
  const reader = new MeaningReader(of)
  readers.push(reader)
  return reader
}
