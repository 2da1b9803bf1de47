import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { memoryText } from '../../src/domain/meaning/memory-text.js'
import { TextCache } from '../../src/domain/text-cache.js'
import { engineFor, textEmbedder } from '../../src/handlers/asking.js'
import { MAX_QUESTIONS_OF_A_KEY } from '../../src/service/meaning/answer-readings.js'
import { type OpenMeaning, openMeaning } from '../../src/service/meaning/open-meaning.js'
import { expectProblem } from '../support/problem.js'
import { startTestServer } from '../support/server.js'
import { SILENT } from '../support/silent.js'

const texts = new TextCache()
const atOnce = { caughtUp: async () => {} }
const never = { caughtUp: () => new Promise<void>(() => {}) }
let meaning: OpenMeaning

beforeAll(async () => {
  const opened = await openMeaning('on', { log: SILENT })
  if (opened === undefined) throw new Error('Nothing is read for meaning.')
  meaning = opened
})
afterAll(() => meaning.close())

describe('a question', () => {
  test('comes with its vector', async () => {
    const { question } = textEmbedder(atOnce, { texts, meaning })
    const first = await question('g', 'Which test runner?')
    expect(first).toEqual(await meaning.vectorOf('Which test runner?'))
    expect(await question('g', 'Which test runners?')).not.toEqual(first)
  })

  test('waits until its graph has caught up', async () => {
    const waited: string[] = []
    let catchUp = () => {}
    const store = {
      caughtUp: (graphId: string) =>
        new Promise<void>((resolve) => {
          waited.push(graphId)
          catchUp = resolve
        }),
    }
    const asked = textEmbedder(store, { texts, meaning }).question('g', 'Who is on call?')
    expect(waited).toEqual(['g'])
    const vector = await meaning.vectorOf('Who is on call?')
    expect(await Promise.race([asked, Promise.resolve('waits')])).toBe('waits')
    catchUp()
    expect(await asked).toEqual(vector)
  })

  test('is asked all the same when the store cannot tell', async () => {
    const store = { caughtUp: () => Promise.reject(new Error('no connection')) }
    expect(await textEmbedder(store, { texts, meaning }).question('g', 'x')).toBeDefined()
  })

  test('that cannot be read waits for nothing', async () => {
    const closed = await openMeaning('on', { log: SILENT })
    await closed?.close()
    const ask = textEmbedder(never, { texts, ...(closed && { meaning: closed }) })
    expect(await ask.question('g', 'never read')).toBeUndefined()
    expect(await textEmbedder(never, { texts }).question('g', 'never read')).toBeUndefined()
  })
})

describe('an event', () => {
  const event = { contextId: 'decision:test_runner', payload: { decision: 'Use vitest' } }

  test('is read as a memory is, when its graph has caught up or its patience is at an end', async () => {
    const asked: unknown[] = []
    const store = { caughtUp: async (...waiting: unknown[]) => void asked.push(waiting) }
    const text = memoryText(event.contextId, event.payload)
    expect(await textEmbedder(store, { texts, meaning }).event('g', event)).toEqual(
      await meaning.vectorOf(text),
    )
    expect(asked).toEqual([['g', 'event']])
    expect(await textEmbedder(never, { texts }).event('g', event)).toBeUndefined()
  })

  test('of many at once some are not read, so that no write waits long; later ones are', async () => {
    const { event: read } = textEmbedder(atOnce, { texts, meaning })
    const vectors = await Promise.all(Array.from({ length: 20 }, () => read('g', event)))
    expect(vectors.filter((vector) => vector !== undefined)).toHaveLength(4)
    expect(await read('g', event)).toBeDefined()
  })
})

describe('the reader of the engine', () => {
  const callerOf = (keyId: string) => ({ requestId: 'r', principal: { keyId, scopes: ['read'] as const } })
  const questionsOf = (keyId: string, count: number) =>
    Array.from({ length: count }, (_, i) =>
      engineFor({ texts, meaning }, callerOf(keyId)).reader?.logitsOf(`${keyId} ${i}?`, ['Use vitest']),
    )

  test('reads for the key of the caller: one that asks too much leaves room for others', async () => {
    const own = questionsOf('key_1', MAX_QUESTIONS_OF_A_KEY + 1)
    const others = questionsOf('key_2', 1)
    await expect(own.at(-1)).rejects.toMatchObject({ code: 'overloaded' })
    expect(await Promise.all([...own.slice(0, -1), ...others])).toHaveLength(MAX_QUESTIONS_OF_A_KEY + 1)
  })

  test('is left out where nothing is read for meaning', () => {
    expect(engineFor({ texts }, callerOf('key_1'))).not.toHaveProperty('reader')
  })

  test('503 with Retry-After: a question for which there is no room', async () => {
    const server = await startTestServer({
      handlers: {
        async generateInsight(_, caller) {
          const { reader } = engineFor({ texts, meaning }, caller)
          const questions = Array.from({ length: MAX_QUESTIONS_OF_A_KEY + 1 }, (_, i) => `Question ${i}?`)
          await Promise.all(questions.map((question) => reader?.logitsOf(question, ['Use vitest'])))
          throw new Error('There was room for all of them.')
        },
      },
    })
    const response = await server.fetch('/v1/memories/insights', {
      json: { graph_id: 'g', task: 'Which one?' },
    })
    await expectProblem(response, 503, 'overloaded')
    expect(response.headers.get('retry-after')).toBe('1')
    await server.stop()
  })
})
