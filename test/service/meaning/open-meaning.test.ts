import { copyFile, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DIMENSIONS, toBytes } from '../../../src/domain/meaning/nearness.js'
import { TextCache } from '../../../src/domain/text-cache.js'
import { MODEL } from '../../../src/service/meaning/model-files.js'
import { type OpenMeaning, openMeaning } from '../../../src/service/meaning/open-meaning.js'
import { EXIT_BROKEN, OpenError } from '../../../src/store/open-error.js'

let path: string
let folder: URL
let lines: string[]
const opened: OpenMeaning[] = []
const log = {
  info: (_: object, message: string) => void lines.push(`info: ${message}`),
  warn: (_: object, message: string) => void lines.push(`warn: ${message}`),
  error: (_: object, message: string) => void lines.push(`error: ${message}`),
}

beforeEach(async () => {
  lines = []
  path = await mkdtemp(join(tmpdir(), 'loregraph-model-'))
  folder = pathToFileURL(`${path}/`)
  for (const name of ['encoder.bin', 'encoder.json', 'vocab.txt'])
    await copyFile(new URL(name, MODEL), new URL(name, folder))
})

afterEach(async () => {
  await Promise.all(opened.splice(0).map((meaning) => meaning.close()))
  await rm(path, { recursive: true, force: true })
})

async function open(mode: 'on' | 'auto', simd = true): Promise<OpenMeaning> {
  const meaning = await openMeaning(mode, { log, folder, simd })
  if (meaning === undefined) throw new Error('Nothing is read for meaning.')
  opened.push(meaning)
  return meaning
}

/** Threads are numbered in the order in which they were made. */
async function threadsMade(): Promise<number> {
  const worker = new Worker('', { eval: true })
  const { threadId } = worker
  await worker.terminate()
  return threadId
}

describe('reading for meaning, on', () => {
  test('a question and a memory of the same text have the same vector', async () => {
    const { encode, vectorOf } = await open('on')
    const [memory] = await encode(['Which test runner do we use?'])
    const question = await vectorOf('Which test runner do we use?')
    expect(question).toHaveLength(DIMENSIONS)
    expect(question).toEqual(memory && toBytes(memory))
    expect(lines).toEqual([])
  })

  test('what somebody waited for is read once, also as a memory, until something is erased', async () => {
    const texts = new TextCache()
    const meaning = await openMeaning('on', { log, folder, texts })
    if (meaning === undefined) throw new Error('Nothing is read for meaning.')
    opened.push(meaning)
    const asked = meaning.vectorOf('Use vitest')
    const [memory, other] = await meaning.encode(['Use vitest', 'Use mocha'])
    expect(memory && toBytes(memory)).toEqual(await asked)
    expect(other).toHaveLength(DIMENSIONS)
    expect((await meaning.encode(['Use vitest']))[0]).toBe(memory)
    texts.clear()
    const [again] = await meaning.encode(['Use vitest'])
    expect(again).toEqual(memory)
    expect(again).not.toBe(memory)
  })

  test('the thread starts with the first text and not before', async () => {
    const before = await threadsMade()
    const meaning = await open('on')
    expect(await threadsMade()).toBe(before + 1)
    await meaning.vectorOf('a')
    // One of the reader, beside those of what runs TypeScript in it.
    expect(await threadsMade()).toBeGreaterThan(before + 2)
  })

  test('texts that wait are counted, and given up when it is closed, at once and without a line in the log', async () => {
    const meaning = await open('on')
    const texts = Array.from({ length: 16 }, (_, i) => `${i} is a number of a long text. `.repeat(500))
    const background = expect(meaning.encode(texts)).rejects.toThrow('closed')
    const question = meaning.vectorOf('a')
    expect(meaning.waiting).toBe(17)
    const start = performance.now()
    await meaning.close()
    expect(performance.now() - start).toBeLessThan(2_000)
    await background
    expect(await question).toBeUndefined()
    expect(await meaning.vectorOf('b')).toBeUndefined()
    expect([meaning.waiting, lines]).toEqual([0, []])
  })
})

describe('M8: a damaged model', () => {
  const DAMAGE: readonly (readonly [string, string, () => Promise<unknown>])[] = [
    [
      'a header that is not JSON',
      'model/encoder.json is not the header of a model',
      () => truncate(new URL('encoder.json', folder), 100),
    ],
    [
      'a header of another model',
      'layers is not 3',
      () => writeFile(new URL('encoder.json', folder), '{"layers":4}'),
    ],
    [
      'a header that is null',
      'not the header of a model',
      () => writeFile(new URL('encoder.json', folder), 'null'),
    ],
    ['truncated weights', 'encoder.bin has 1000 bytes', () => truncate(new URL('encoder.bin', folder), 1000)],
    ['no vocabulary', 'model/vocab.txt cannot be read', () => rm(new URL('vocab.txt', folder))],
    ['no weights', 'model/encoder.bin cannot be read', () => rm(new URL('encoder.bin', folder))],
  ]

  test.each(DAMAGE)('%s: stops the start with a sentence', async (_, sentence, damage) => {
    await damage()
    const refused = await openMeaning('on', { log, folder }).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(OpenError)
    expect(refused).toMatchObject({ exitCode: EXIT_BROKEN, message: expect.stringContaining(sentence) })
    expect(refused).toMatchObject({ message: expect.stringMatching(/LOREGRAPH_MEANING=off\.$/) })
    expect(lines).toEqual([])
  })

  test.each(DAMAGE)('%s: with auto it is warned of', async (_, sentence, damage) => {
    await damage()
    expect(await openMeaning('auto', { log, folder })).toBeUndefined()
    expect(lines).toEqual([expect.stringMatching(/^warn: .*found by words alone\.$/)])
    expect(lines[0]).toContain(sentence)
  })

  test.each([
    ['on', 'error'],
    ['auto', 'warn'],
  ] as const)(
    'one changed byte in the weights, with %s: told once as %s, and nothing else happens',
    async (mode, level) => {
      const weights = await readFile(new URL('encoder.bin', folder))
      weights[1_000_000] = (weights[1_000_000] ?? 0) ^ 1
      await writeFile(new URL('encoder.bin', folder), weights)
      const meaning = await open(mode)
      expect(await meaning.vectorOf('a')).toBeUndefined()
      await expect(meaning.encode(['b'])).rejects.toThrow('damaged')
      expect(await meaning.vectorOf('c')).toBeUndefined()
      expect(lines).toEqual([expect.stringMatching(`^${level}: .*model/encoder.bin is damaged`)])
    },
  )
})

test.each(['on', 'auto'] as const)(
  'M8: a machine without SIMD, %s: warned of, and found by words',
  async (mode) => {
    expect(await openMeaning(mode, { log, folder, simd: false })).toBeUndefined()
    expect(lines).toEqual([expect.stringMatching(/^warn: .*SIMD/)])
  },
)

test('M8: off: nothing is looked at, nothing is said', async () => {
  const nowhere = new URL('nowhere/', folder)
  expect(await openMeaning('off', { log, folder: nowhere, simd: false })).toBeUndefined()
  expect(lines).toEqual([])
})
