import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { PastEvent } from '../../../src/domain/events/recording.js'
import type { Erasure } from '../../../src/domain/model.js'
import type { MemoKind } from '../../../src/domain/text-cache.js'
import {
  ask,
  at,
  contradicts,
  event,
  everything,
  exported,
  extending,
  FIRST,
  inPages,
  type OpenBench,
  record,
  reinforces,
  withoutPlaces,
} from '../support.js'
import { useStore } from './bench.js'
import { randomSteps, recordSteps } from './random.js'

const CERTAIN = { dryRun: false }
const DRY = { dryRun: true }
const once = { key: 'a'.repeat(64), body: 'b'.repeat(64) }

const LENGTHS: MemoKind<number> = { most: 100 }

export function eraseContract(open: OpenBench, runs: number): void {
  describe('erase', () => {
    const bench = useStore(open)

    test('takes a memory, the links that it states and the links that name it', async () => {
      const { memoryId } = await record(bench.store, 'g', event('skill:a', 'secret', extending('skill:gone')))
      const kept = await record(
        bench.store,
        'g',
        event('skill:b', 'kept', { links: [...contradicts(memoryId).links, ...extending('skill:c').links] }),
      )
      await record(bench.store, 'g', event('skill:c', 'also kept', reinforces(memoryId, kept.memoryId)))
      expect(await bench.store.erase('g', { memoryId }, CERTAIN)).toEqual({
        memories: 1,
        memoryIds: [memoryId],
        relationships: 3,
        contexts: 2,
      })
      for await (const store of bench.nowAndReopened()) {
        await expect(ask(store, 'g').memory(memoryId)).rejects.toMatchObject({ code: 'memory_not_found' })
        await expect(ask(store, 'g').context('skill:a')).rejects.toMatchObject({ code: 'context_not_found' })
        await expect(ask(store, 'g').context('skill:gone')).rejects.toMatchObject({
          code: 'context_not_found',
        })
        expect((await ask(store, 'g').retrieve({ terms: ['secret'], limit: 5 })).found).toEqual([])
        expect((await ask(store, 'g').memory(kept.memoryId)).links).toEqual(extending('skill:c').links)
        expect(await ask(store, 'g').relationships('skill:b', {})).toMatchObject([
          { kind: 'extension', direction: 'outgoing', contextId: 'skill:c' },
          { kind: 'reinforcement', direction: 'incoming', contextId: 'skill:c' },
        ])
        expect(JSON.stringify(await exported(store, 'g'))).not.toContain('secret')
      }
    })

    test('clears the cache of texts; a dry run does not', async () => {
      const { memoryId } = await record(bench.store, 'g', event('skill:a', 'secret'))
      const memo = bench.texts.memo(LENGTHS)
      memo.set('secret', 6)
      await bench.store.erase('g', { memoryId }, { dryRun: true })
      expect(memo.get('secret')).toBe(6)
      await bench.store.erase('g', { memoryId }, CERTAIN)
      expect(memo.get('secret')).toBeUndefined()
    })

    test('takes the memories of a context; the context stays while others link to it', async () => {
      await record(bench.store, 'g', event('skill:a', 'one'))
      await record(bench.store, 'g', event('skill:a', 'two', reinforces('skill:a')))
      await record(bench.store, 'g', event('skill:b', 'linked', extending('skill:a')))
      expect(await bench.store.erase('g', { contextId: 'skill:a' }, CERTAIN)).toMatchObject({
        memories: 2,
        relationships: 1,
        contexts: 0,
      })
      const { createdAt, ...context } = await ask(bench.store, 'g').context('skill:a')
      expect(context).toMatchObject({ memoryCount: 0 })
      // Nobody spoke of it before the link that is left.
      expect(createdAt).toBe((await ask(bench.store, 'g').context('skill:b')).createdAt)
      expect(await ask(bench.store, 'g').relationships('skill:a', {})).toMatchObject([
        { direction: 'incoming' },
      ])
      expect(await bench.store.erase('g', { contextId: 'skill:a' }, CERTAIN)).toEqual({
        memories: 0,
        memoryIds: [],
        relationships: 0,
        contexts: 0,
      })
      expect(await bench.store.erase('g', { contextId: 'skill:b' }, CERTAIN)).toMatchObject({
        memories: 1,
        relationships: 1,
        contexts: 2,
      })
      expect(await ask(bench.store, 'g').contextTypes(FIRST)).toMatchObject({ total: 0 })
      expect((await bench.store.graphs(undefined, FIRST)).items).toEqual(['g'])
    })

    test('takes a graph; its next event starts a new one of that name', async () => {
      const first = await record(bench.store, 'g', event('skill:a', 'one', extending('skill:b')))
      await record(bench.store, 'g', event('skill:a', 'one'))
      await record(bench.store, 'other', event('skill:a', 'one'))
      expect(await bench.store.erase('g', { everything: true }, CERTAIN)).toEqual({
        memories: 1,
        memoryIds: [first.memoryId],
        relationships: 1,
        contexts: 2,
      })
      for await (const store of bench.nowAndReopened()) {
        await expect(ask(store, 'g').contextTypes(FIRST)).rejects.toMatchObject({ code: 'graph_not_found' })
        await expect(store.exportGraph('g')).rejects.toMatchObject({ code: 'graph_not_found' })
        await expect(store.erase('g', { everything: true }, CERTAIN)).rejects.toMatchObject({
          code: 'graph_not_found',
        })
        expect((await store.graphs(undefined, FIRST)).items).toEqual(['other'])
      }
      expect(await record(bench.store, 'g', event('skill:a', 'one'))).toMatchObject({ status: 'recorded' })
      for await (const store of bench.nowAndReopened())
        expect((await ask(store, 'g').contextsOfType('skill', FIRST)).items).toMatchObject([
          { memoryCount: 1 },
        ])
    })

    test('with dryRun says the same and changes nothing', async () => {
      const { memoryId } = await record(bench.store, 'g', event('skill:a', 'one', extending('skill:z')))
      await record(bench.store, 'g', event('skill:a', 'two', contradicts(memoryId)))
      await record(bench.store, 'g', event('skill:b', 'three', reinforces('skill:a', memoryId)))
      const before = await everything(bench.store, 'g')
      const all: Erasure[] = [{ memoryId }, { contextId: 'skill:a' }, { everything: true }]
      for (const what of all) {
        const copy = `copy-${Object.keys(what)[0]}`
        await bench.store.importGraph(copy, inPages(await exported(bench.store, 'g')), at)
        const dry = await bench.store.erase('g', what, DRY)
        expect(await everything(bench.store, 'g')).toEqual(before)
        expect(dry).toEqual(await bench.store.erase(copy, what, CERTAIN))
      }
    })

    test('what is not there is refused, dry or not', async () => {
      await record(bench.store, 'g', event('skill:a', 'one'))
      for (const options of [DRY, CERTAIN]) {
        const refused = (graph: string, what: Erasure) =>
          expect(bench.store.erase(graph, what, options)).rejects
        await refused('none', { everything: true }).toMatchObject({ code: 'graph_not_found' })
        await refused('none', { contextId: 'skill:a' }).toMatchObject({ code: 'graph_not_found' })
        await refused('g', { contextId: 'skill:z' }).toMatchObject({ code: 'context_not_found' })
        await refused('g', { memoryId: 'mem_00000000000000000000000000' }).toMatchObject({
          code: 'memory_not_found',
        })
      }
    })

    test('what is left reads as if the rest had never been recorded', async () => {
      let run = 0
      const property = fc.asyncProperty(randomSteps, fc.nat(20), fc.boolean(), async (steps, pick, whole) => {
        const graph = `g${run++}`
        const ids = await recordSteps(bench.store, graph, steps)
        const before = await exported(bench.store, graph)
        const memoryId = ids[pick % ids.length] ?? ''
        const { contextId } = await ask(bench.store, graph).memory(memoryId)
        const what = whole ? { contextId } : { memoryId }
        const { memoryIds, ...counts } = await bench.store.erase(graph, what, CERTAIN)
        expect(memoryIds).toHaveLength(counts.memories)
        // Places are kept; what was decided is reckoned anew, so that it follows from the rules again.
        const left = await exported(bench.store, graph)
        const said = left.map(({ decisions, ...event }) => event)
        expect(said).toEqual(without(before, new Set(memoryIds)))
        expect(JSON.stringify(left)).not.toContain(memoryIds[0])
        await bench.store.importGraph(`${graph}-left`, inPages(left), at)
        const answers = await withoutPlaces(bench.store, graph)
        expect(answers).toEqual(await withoutPlaces(bench.store, `${graph}-left`))
      })
      await fc.assert(property, { numRuns: runs })
    })

    test('ids still rise, though the last memory is gone and the clock went back', async () => {
      const first = await record(bench.store, 'g', event('skill:a', 'one'))
      const last = await record(bench.store, 'g', event('skill:a', 'two'))
      await bench.store.erase('g', { memoryId: last.memoryId }, CERTAIN)
      await bench.store.erase('g', { memoryId: first.memoryId }, CERTAIN)
      await bench.reopen()
      bench.clock.set('2020-01-01T00:00:00.000Z')
      const next = await record(bench.store, 'g', event('skill:a', 'two'))
      expect(next).toMatchObject({ status: 'recorded', confidence: 0.6 })
      expect(next.memoryId > last.memoryId).toBe(true)
    })

    test('B14: a kept answer goes with a memory that it names, and stays otherwise', async () => {
      const kept = { ...once, key: 'd'.repeat(64) }
      const first = await record(bench.store, 'g', event('skill:b', 'two', { recordedBy: 'key_1' }))
      const answer = await bench.store.append('g', [event('skill:b', 'two')], at, kept)
      const [gone] = await bench.store.append('g', [event('skill:a', 'one')], at, once)
      await bench.store.erase('g', { memoryId: gone?.memoryId ?? '' }, CERTAIN)
      for await (const store of bench.nowAndReopened())
        expect(await store.append('g', [event('skill:b', 'two')], at, kept)).toEqual(answer)
      expect(answer).toMatchObject([{ memoryId: first.memoryId, confidence: 0.65 }])
    })

    test('B14: a write of which something was erased is not brought back by sending it again', async () => {
      const both = [event('skill:a', 'one'), event('skill:b', 'two')]
      const alone = { ...once, key: 'd'.repeat(64) }
      const [gone] = await bench.store.append('g', both, at, once)
      const [other] = await bench.store.append('g', [event('skill:c', 'three')], at, alone)
      // The second erasure finds the key of the first as one that it was left.
      for (const memoryId of [gone?.memoryId ?? '', other?.memoryId ?? ''])
        await bench.store.erase('g', { memoryId }, CERTAIN)
      const spent = { code: 'idempotency_key_reused', message: expect.stringContaining('erased since') }
      for await (const store of bench.nowAndReopened()) {
        await expect(store.append('g', both, at, once)).rejects.toMatchObject(spent)
        await expect(store.append('g', [event('skill:c', 'three')], at, alone)).rejects.toMatchObject(spent)
        expect(await exported(store, 'g')).toHaveLength(1)
      }
      const anew = { ...once, key: 'e'.repeat(64) }
      expect(await bench.store.append('g', both.slice(0, 1), at, anew)).toMatchObject([
        { status: 'recorded' },
      ])
    })

    test('nothing that is recorded meanwhile is lost, and a read sees before or after', async () => {
      const ids: string[] = []
      for (let i = 0; i < 20; i++)
        ids.push((await record(bench.store, 'g', event(`skill:${i % 2 ? 'odd' : 'even'}`, `n${i}`))).memoryId)
      const seen: number[] = []
      const reading = Array.from({ length: 30 }, async (_, i) => {
        await new Promise((resolve) => setTimeout(resolve, i))
        seen.push((await ask(bench.store, 'g').contextsOfType('skill', FIRST)).total)
      })
      const writing = Array.from({ length: 20 }, (_, i) =>
        record(bench.store, 'g', event('fact:new', `new ${i}`)),
      )
      const erased = await bench.store.erase('g', { contextId: 'skill:odd' }, CERTAIN)
      await Promise.all([...reading, ...writing])
      expect(erased.memoryIds).toEqual(ids.filter((_, i) => i % 2 === 1))
      expect([...new Set(seen)].every((total) => total === 1 || total === 2)).toBe(true)
      for await (const store of bench.nowAndReopened()) {
        expect(await ask(store, 'g').context('fact:new')).toMatchObject({ memoryCount: 20 })
        expect(await ask(store, 'g').context('skill:even')).toMatchObject({ memoryCount: 10 })
        await expect(ask(store, 'g').context('skill:odd')).rejects.toMatchObject({
          code: 'context_not_found',
        })
      }
    })
  })
}

/** The events but for those of some memories, and without links to those. */
function without(events: readonly PastEvent[], gone: ReadonlySet<string>): Omit<PastEvent, 'decisions'>[] {
  return events
    .filter(({ memoryId }) => !gone.has(memoryId))
    .map(({ decisions, ...event }) => ({
      ...event,
      links: event.links.filter(({ target }) => !gone.has(target)),
    }))
}
