import { afterEach, describe, expect, test } from 'vitest'
import { cosine } from '../../../src/domain/meaning/nearness.js'
import type { ContextFilter } from '../../../src/domain/search/knowledge.js'
import { type OpenMeaning, openMeaning } from '../../../src/service/meaning/open-meaning.js'
import { PATIENCE_MS, WAITS_FOR } from '../../../src/store/meaning.js'
import type { Store } from '../../../src/store/store.js'
import { vectorOf, WordMeaning } from '../../support/meaning.js'
import { SILENT } from '../../support/silent.js'
import { ask, at, event, exported, inPages, type OpenBench, record } from '../support.js'
import { useStore } from './bench.js'

const CERTAIN = { dryRun: false }
const TEXTS = [
  'the cache holds entries for an hour',
  'redis is the cache',
  'names are short',
  'a second line about names',
]

/** A store of which memories are read, and some to be read. */
function useWords(open: OpenBench) {
  let meaning: WordMeaning | undefined
  const bench = useStore(open, async () => {
    meaning = await WordMeaning.create()
    return meaning
  })
  return {
    bench,
    meaning(): WordMeaning {
      if (meaning === undefined) throw new Error('It is made before each test.')
      return meaning
    },
    fill: () =>
      bench.store.append(
        'g',
        TEXTS.map((text, i) => event(i % 2 === 0 ? `skill:s${i}` : 'tool:redis', text)),
        at,
      ),
    async nearest(store: Store, text: string, limit: number, scope?: ContextFilter) {
      const near = { vector: vectorOf(text), limit, ...(scope && { scope }) }
      return (await ask(store, 'g').nearest(near)).map((memory) => memory.text)
    },
  }
}

/** What the log has a part in, which keeps the vectors. */
export function meaningContract(open: OpenBench): void {
  describe('meaning', () => {
    const { bench, fill, nearest, meaning } = useWords(open)

    test('M1: after caughtUp all memories are read, and the nearest are found, the nearest first', async () => {
      await fill()
      await bench.store.caughtUp('g')
      expect(await ask(bench.store, 'g').unread()).toBe(0)
      const vector = vectorOf('skill s0 text the cache holds entries for an hour')
      const found = await ask(bench.store, 'g').nearest({ vector, limit: 10 })
      expect(found.map(({ text }) => text)).toEqual(expect.arrayContaining(TEXTS))
      expect(found[0]?.text).toBe(TEXTS[0])
      const vectors = await ask(bench.store, 'g').vectors(found.map(({ memoryId }) => memoryId))
      const distances = found.map(({ memoryId }) => cosine(vector, vectors.get(memoryId) ?? new Int8Array()))
      expect(distances).toEqual([...distances].sort((a, b) => b - a))
      expect(distances[0]).toBeGreaterThan(0.99)
      expect(await nearest(bench.store, 'tool redis text redis is the cache', 1)).toEqual([TEXTS[1]])
    })

    test('gives the vectors of the memories that it is asked for, and of no other', async () => {
      const [first, second] = await fill()
      await bench.store.caughtUp('g')
      const unknown = `mem_${'0'.repeat(26)}`
      const vectors = await ask(bench.store, 'g').vectors([second?.memoryId ?? '', unknown])
      expect([...vectors]).toEqual([[second?.memoryId, vectorOf(`tool redis: text: ${TEXTS[1]}`)]])
      expect(vectors.has(first?.memoryId ?? '')).toBe(false)
    })

    test('M1: the same answers after a restart, and nothing is read again', async () => {
      await fill()
      await bench.store.caughtUp('g')
      const before = await nearest(bench.store, 'short names of the cache', 10)
      expect(meaning().read).toHaveLength(TEXTS.length)
      const store = await bench.reopen()
      await store.caughtUp('g')
      expect(await nearest(store, 'short names of the cache', 10)).toEqual(before)
      await record(store, 'g', event('skill:new', 'one more'))
      await store.caughtUp('g')
      expect(meaning().read.slice(TEXTS.length)).toEqual(['skill new: text: one more'])
    })

    test('M3: what was erased is in no answer; the others stay, and are not read again', async () => {
      const receipts = await fill()
      await bench.store.caughtUp('g')
      const [gone = '', ...kept] = receipts.map(({ memoryId }) => memoryId)
      const vectors = await ask(bench.store, 'g').vectors(kept)
      await bench.store.erase('g', { memoryId: gone }, CERTAIN)
      for await (const store of bench.nowAndReopened()) {
        await store.caughtUp('g')
        expect(await ask(store, 'g').unread()).toBe(0)
        expect((await nearest(store, TEXTS[0] ?? '', 10)).sort()).toEqual(TEXTS.slice(1).sort())
        expect(await ask(store, 'g').vectors([gone, ...kept])).toEqual(vectors)
        expect(meaning().read).toHaveLength(TEXTS.length)
      }
      await bench.store.erase('g', { everything: true }, CERTAIN)
      await record(bench.store, 'g', event('skill:s0', TEXTS[0] ?? ''))
      await bench.store.caughtUp('g')
      expect(await nearest(bench.store, 'anything', 10)).toEqual([TEXTS[0]])
      expect(meaning().read).toHaveLength(TEXTS.length + 1)
    })

    test('M3: what is erased while it is being read is in no answer', async () => {
      meaning().hold()
      const receipts = await fill()
      await bench.store.erase('g', { memoryId: receipts[0]?.memoryId ?? '' }, CERTAIN)
      meaning().release()
      await bench.store.caughtUp('g')
      expect((await nearest(bench.store, TEXTS[0] ?? '', 10)).sort()).toEqual(TEXTS.slice(1).sort())
    })

    test('an imported graph is read', async () => {
      await fill()
      const events = await exported(bench.store, 'g')
      await bench.store.erase('g', { everything: true }, CERTAIN)
      await bench.store.importGraph('g', inPages(events), at)
      await bench.store.caughtUp('g')
      expect((await nearest(bench.store, 'names', 10)).sort()).toEqual([...TEXTS].sort())
    })
  })
}

/** Who waits for what, and what is found: the same on every log. */
export function readingContract(open: OpenBench): void {
  describe('reading for meaning', () => {
    const { bench, fill, nearest, meaning } = useWords(open)

    test('breaks ties by order of recording', async () => {
      const same = (['action', 'fact', 'decision', 'feedback'] as const).map((eventKind) =>
        event('skill:a', 'the same words', { eventKind }),
      )
      await bench.store.append('g', [event('skill:b', 'something else'), ...same], at)
      await bench.store.caughtUp('g')
      const found = await ask(bench.store, 'g').nearest({ vector: vectorOf('the same words'), limit: 3 })
      expect(found.map(({ eventKind }) => eventKind)).toEqual(['action', 'fact', 'decision'])
    })

    test('keeps to the scope: a union of types and contexts', async () => {
      await fill()
      await bench.store.caughtUp('g')
      const within = (types: string[], contextIds: string[]) =>
        nearest(bench.store, 'names', 10, { types, contextIds })
      expect(await within(['tool'], [])).toEqual([TEXTS[3], TEXTS[1]])
      expect((await within(['tool'], ['skill:s2'])).sort()).toEqual([TEXTS[1], TEXTS[2], TEXTS[3]].sort())
      expect(await within(['none'], ['no:where'])).toEqual([])
      expect(await within([], [])).toEqual([])
    })

    test('an event that is stated again is not read again', async () => {
      await fill()
      await bench.store.caughtUp('g')
      await fill()
      await bench.store.caughtUp('g')
      expect(meaning().read).toHaveLength(TEXTS.length)
    })

    test('M5: unread memories are counted and in no answer, and recording waits for none', async () => {
      meaning().hold()
      await fill()
      await record(bench.store, 'other', event('skill:a', 'elsewhere'))
      expect(await ask(bench.store, 'g').unread()).toBe(TEXTS.length)
      const counts = { g: TEXTS.length, other: 1 }
      expect(Object.fromEntries(await bench.store.unread())).toEqual(counts)
      expect(Object.fromEntries(await bench.store.unread(['other', 'none']))).toEqual({ other: 1 })
      expect(await nearest(bench.store, 'names', 10)).toEqual([])
      meaning().release()
      await bench.store.caughtUp('g')
      await bench.store.caughtUp('other')
      expect(await ask(bench.store, 'g').unread()).toBe(0)
      expect(await bench.store.unread()).toEqual(new Map())
    })

    test(`M5: ${WAITS_FOR.question} unread memories make no question wait, and are read all the same`, async () => {
      meaning().hold()
      await bench.store.append(
        'g',
        Array.from({ length: WAITS_FOR.question }, (_, i) => event(`skill:${i % 7}`, `number ${i}`)),
        at,
      )
      await bench.store.caughtUp('g')
      expect(await ask(bench.store, 'g').unread()).toBe(WAITS_FOR.question)
      meaning().release()
      await expect.poll(() => ask(bench.store, 'g').unread(), { timeout: 4000 }).toBe(0)
      expect(new Set(meaning().read).size).toBe(WAITS_FOR.question)
      expect(meaning().read).toHaveLength(WAITS_FOR.question)
    })

    test('a graph that does not exist has nothing to wait for', async () => {
      await bench.store.caughtUp('none')
      expect(await bench.store.unread(['none'])).toEqual(new Map())
    })
  })

  describe('a backlog of long memories', () => {
    let models: OpenMeaning
    const bench = useStore(open, async () => {
      const opened = await openMeaning('on', { log: SILENT })
      if (opened === undefined) throw new Error('Nothing is read for meaning.')
      models = opened
      return models
    })
    afterEach(() => models.close())
    const note = (i: number) =>
      event('note:long', `Note ${i} says: ${'the pump was serviced again. '.repeat(60)}`)

    test('M9: of one graph does not delay the questions of another', async () => {
      const { store } = bench
      // The thread starts, and what it runs is compiled.
      await models.encode([`${note(0).payload['text']}`])
      const notes = Array.from({ length: WAITS_FOR.question }, (_, i) => note(i))
      for (const graph of ['first', 'second', 'third']) await store.append(graph, notes, at)
      for (let round = 0; round < 3; round++) {
        await record(store, 'small', event('skill:a', `Round ${round} is recorded.`))
        const start = performance.now()
        await store.caughtUp('small')
        expect(performance.now() - start).toBeLessThan(PATIENCE_MS / 2)
        expect(await ask(store, 'small').unread()).toBe(0)
      }
      expect(await ask(store, 'first').unread()).toBeGreaterThan(0)
    }, 60_000)
  })

  describe('without meaning', () => {
    const bench = useStore(open)

    test('nothing is read, and nothing is waited for', async () => {
      const receipts = await bench.store.append(
        'g',
        TEXTS.map((text) => event('skill:a', text)),
        at,
      )
      await bench.store.caughtUp('g')
      expect(await ask(bench.store, 'g').unread()).toBe(0)
      expect(await bench.store.unread()).toEqual(new Map())
      expect(await ask(bench.store, 'g').nearest({ vector: vectorOf('names'), limit: 5 })).toEqual([])
      expect(await ask(bench.store, 'g').vectors(receipts.map(({ memoryId }) => memoryId))).toEqual(new Map())
    })
  })
}
