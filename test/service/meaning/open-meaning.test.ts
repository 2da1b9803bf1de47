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
  for (const name of ['encoder.bin', 'encoder.json', 'reader.bin', 'reader.json', 'vocab.txt'])
    await copyFile(new URL(name, MODEL), new URL(name, folder))
})

afterEach(async () => {
  await Promise.all(opened.splice(0).map((meaning) => meaning.close()))
  await rm(path, { recursive: true, force: true })
})

async function open(mode: 'on' | 'auto', more: { texts?: TextCache } = {}): Promise<OpenMeaning> {
  const meaning = await openMeaning(mode, { log, folder, ...more })
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
    const meaning = await open('on', { texts })
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

const QUESTION = 'Which test runner do we use?'
const ANSWERS = ['decision testing: test runner: vitest', 'We deploy on Fridays']

describe('a question', () => {
  test('is read together with each text, in the order of the texts, however often one comes', async () => {
    const { logitsOf } = await open('on')
    const [answer = 0, other = 0] = (await logitsOf(QUESTION, ANSWERS)) ?? []
    expect(answer).toBeGreaterThan(2)
    expect(other).toBeLessThan(-2)
    expect(await logitsOf(QUESTION, [...ANSWERS].reverse())).toEqual([other, answer])
    expect(await logitsOf(QUESTION, ['We use mocha', ...ANSWERS, 'We use mocha'])).toHaveLength(4)
    expect(await logitsOf(QUESTION, [])).toEqual([])
  })

  test('and a text are read once, also by two who ask at the same time, until something is erased', async () => {
    const texts = new TextCache()
    const meaning = await open('on', { texts })
    const [first, second] = [meaning.logitsOf(QUESTION, ANSWERS), meaning.logitsOf(QUESTION, ANSWERS)]
    expect(meaning.waiting).toBe(2)
    expect(await second).toEqual(await first)
    const again = meaning.logitsOf(QUESTION, ANSWERS)
    expect(meaning.waiting).toBe(0)
    expect(await again).toEqual(await first)
    texts.clear()
    const anew = meaning.logitsOf(QUESTION, ANSWERS)
    expect(meaning.waiting).toBe(2)
    expect(await anew).toEqual(await first)
  })

  test('that is being read while something is erased is not remembered', async () => {
    const texts = new TextCache()
    const meaning = await open('on', { texts })
    const reading = Promise.all([meaning.logitsOf(QUESTION, ANSWERS), meaning.vectorOf(QUESTION)])
    texts.clear()
    await reading
    const again = Promise.all([meaning.logitsOf(QUESTION, ANSWERS), meaning.vectorOf(QUESTION)])
    expect(meaning.waiting).toBe(3)
    expect(await again).toEqual(await reading)
  })

  test('of 50 that a key asks at once, 16 are answered, and the others are refused before the first answer', async () => {
    const meaning = await open('on')
    const order: string[] = []
    const asked = Array.from({ length: 50 }, async (_, i) => {
      const question = `What is known of customer ${i}?`
      // As an insight does, with about a hundred tokens to read.
      await meaning.vectorOf(question)
      const answers = ['plan: enterprise', 'seats: 40', 'renewed: in spring'].map(
        (text) => `customer nordwind ${i}: ${text}; signed by Mara with a discount of ten percent`,
      )
      await meaning.logitsOf(question, answers, 'key_1').then(
        () => order.push('answered'),
        (error: unknown) => {
          expect(error).toMatchObject({ code: 'overloaded' })
          order.push('refused')
        },
      )
    })
    await Promise.all(asked)
    expect(order).toEqual([...Array(34).fill('refused'), ...Array(16).fill('answered')])
    expect(await meaning.logitsOf('Is there room again?', ANSWERS, 'key_1')).toHaveLength(2)
  })

  test('of one key does not wait for all those of another', async () => {
    const meaning = await open('on')
    const order: string[] = []
    const many = Array.from({ length: 16 }, (_, i) =>
      meaning.logitsOf(`Question ${i}?`, ANSWERS, 'key_1').then(() => order.push('key_1')),
    )
    const one = meaning.logitsOf(QUESTION, ANSWERS, 'key_2').then(() => order.push('key_2'))
    await expect(meaning.logitsOf('One more?', ANSWERS, 'key_1')).rejects.toThrow('Try again in a second.')
    await Promise.all([...many, one])
    expect(order.indexOf('key_2')).toBeLessThan(3)
  })

  test('is refused when 64 of all keys wait', async () => {
    const meaning = await open('on')
    const asked = Array.from({ length: 65 }, (_, i) =>
      meaning.logitsOf(`Question ${i}?`, ['an answer'], `key_${i % 5}`),
    )
    const refused = (await Promise.allSettled(asked)).map(({ status }) => status === 'rejected')
    expect(refused.indexOf(true)).toBe(64)
  })

  test('that waits is given up when the models are closed, without a line in the log', async () => {
    const meaning = await open('on')
    const waiting = meaning.logitsOf(QUESTION, ANSWERS)
    await meaning.close()
    expect(await waiting).toBeUndefined()
    expect(await meaning.logitsOf(QUESTION, ['another'])).toBeUndefined()
    expect(lines).toEqual([])
  })
})

describe('M8: a damaged model', () => {
  const DAMAGE: readonly (readonly [string, string, () => Promise<unknown>])[] = [
    [
      'a header that is not JSON',
      'model/encoder.json is not the header of a model',
      () => truncate(new URL('encoder.json', folder), 100),
    ],
    ['truncated weights', 'encoder.bin has 1000 bytes', () => truncate(new URL('encoder.bin', folder), 1000)],
    ['no reader', 'model/reader.bin cannot be read', () => rm(new URL('reader.bin', folder))],
  ]

  test.each(DAMAGE)('%s: stops the start with a sentence', async (_, sentence, damage) => {
    await damage()
    const refused = await openMeaning('on', { log, folder }).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(OpenError)
    expect(refused).toMatchObject({ name: 'OpenError' })
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
    ['encoder.bin', 'on', 'error'],
    ['encoder.bin', 'auto', 'warn'],
  ] as const)(
    'one changed byte in %s, with %s: told once as %s, and nothing else happens',
    async (name, mode, level) => {
      const weights = await readFile(new URL(name, folder))
      weights[1_000_000] = (weights[1_000_000] ?? 0) ^ 1
      await writeFile(new URL(name, folder), weights)
      const meaning = await open(mode)
      expect(await meaning.vectorOf('a')).toBeUndefined()
      await expect(meaning.encode(['b'])).rejects.toThrow('damaged')
      expect(await meaning.vectorOf('c')).toBeUndefined()
      expect(await meaning.logitsOf('d', ['e'])).toBeUndefined()
      expect(lines).toEqual([expect.stringMatching(`^${level}: .*model/${name} is damaged`)])
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
