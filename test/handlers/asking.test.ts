import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { memoryText } from '../../src/domain/meaning/memory-text.js'
import { TextCache } from '../../src/domain/text-cache.js'
import { asking } from '../../src/handlers/asking.js'
import { type OpenMeaning, openMeaning } from '../../src/service/meaning/open-meaning.js'
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
    const { question } = asking(atOnce, { texts, meaning })
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
    const asked = asking(store, { texts, meaning }).question('g', 'Who is on call?')
    expect(waited).toEqual(['g'])
    const vector = await meaning.vectorOf('Who is on call?')
    expect(await Promise.race([asked, Promise.resolve('waits')])).toBe('waits')
    catchUp()
    expect(await asked).toEqual(vector)
  })

  test('is asked all the same when the store cannot tell', async () => {
    const store = { caughtUp: () => Promise.reject(new Error('no connection')) }
    expect(await asking(store, { texts, meaning }).question('g', 'x')).toBeDefined()
  })

  test('that cannot be read waits for nothing', async () => {
    const closed = await openMeaning('on', { log: SILENT })
    await closed?.close()
    const ask = asking(never, { texts, ...(closed && { meaning: closed }) })
    expect(await ask.question('g', 'never read')).toBeUndefined()
    expect(await asking(never, { texts }).question('g', 'never read')).toBeUndefined()
  })
})

describe('an event', () => {
  const event = { contextId: 'decision:test_runner', payload: { decision: 'Use vitest' } }

  test('is read as a memory is, when its graph has caught up or its patience is at an end', async () => {
    const asked: unknown[] = []
    const store = { caughtUp: async (...waiting: unknown[]) => void asked.push(waiting) }
    const text = memoryText(event.contextId, event.payload)
    expect(await asking(store, { texts, meaning }).event('g', event)).toEqual(await meaning.vectorOf(text))
    expect(asked).toEqual([['g', 'event']])
    expect(await asking(never, { texts }).event('g', event)).toBeUndefined()
  })

  test('of many at once some are not read, so that no write waits long; later ones are', async () => {
    const { event: read } = asking(atOnce, { texts, meaning })
    const vectors = await Promise.all(Array.from({ length: 20 }, () => read('g', event)))
    expect(vectors.filter((vector) => vector !== undefined)).toHaveLength(4)
    expect(await read('g', event)).toBeDefined()
  })
})
