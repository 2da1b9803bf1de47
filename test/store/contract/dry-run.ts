import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { PastEvent } from '../../../src/domain/events/recording.js'
import { NO_MEMORY } from '../../../src/domain/ids.js'
import { MAX_ERASED_IDS, type NewMemory, type Receipt } from '../../../src/domain/model.js'
import type { Store } from '../../../src/store/store.js'
import {
  ask,
  at,
  contradicts,
  event,
  everything,
  exported,
  FIRST,
  inPages,
  type OpenBench,
  record,
} from '../support.js'
import { useStore } from './bench.js'
import { EVERY_OUTCOME, randomSteps, recordSteps } from './random.js'

export function dryRunContract(open: OpenBench, runs: number): void {
  describe('dryRun', () => {
    const bench = useStore(open)

    test('gives the receipt of the record that follows, and changes nothing, whatever went before', async () => {
      let graphs = 0
      const seen = new Set<string>()
      const property = fc.asyncProperty(randomSteps, async (steps) => {
        const checked = dryFirst(bench.store, ({ status, bearsOn }) => {
          for (const one of [status, ...bearsOn.map(({ effect }) => effect)]) seen.add(one)
        })
        const alone = steps.map((step) => ({ ...step, alone: true }))
        await recordSteps(checked, `g${graphs++}`, alone)
      })
      await fc.assert(property, { numRuns: runs, examples: [[EVERY_OUTCOME]] })
      expect([...seen]).toEqual(expect.arrayContaining(['recorded', 'duplicate', 'supersedes', 'disputes']))
    })

    test('of a graph that does not exist: as of its first event, and the graph does not come to be', async () => {
      const first = event('skill:a', 'x', { source: 'user', ...contradicts('skill:b') })
      expect(await bench.store.dryRun('g', first, at)).toEqual({
        memoryId: NO_MEMORY,
        contextId: 'skill:a',
        status: 'recorded',
        place: 1,
        confidence: 0.7,
        bearsOn: [],
        unresolved: [{ path: '/contradicts/0', target: 'skill:b', candidates: [] }],
      })
      for await (const store of bench.nowAndReopened()) {
        await expect(ask(store, 'g').contextTypes(FIRST)).rejects.toMatchObject({ code: 'graph_not_found' })
        expect((await store.graphs(undefined, FIRST)).items).toEqual([])
      }
    })

    test('refuses what an append refuses, with the same words', async () => {
      const { memoryId } = await record(bench.store, 'g', event('skill:a', 'x'))
      const unknown = event('skill:a', 'y', contradicts('mem_01KJPZ6C3RS6ACV2ZXG3FQ2E8N'))
      const bothWays = event('skill:a', 'y', {
        links: [
          { kind: 'reinforcement', target: memoryId },
          { kind: 'contradiction', target: memoryId },
        ],
      })
      for (const one of [unknown, bothWays])
        for (const graph of ['g', 'other']) {
          const refusal = await bench.store.append(graph, [one], at).catch((error: unknown) => error)
          expect(refusal).toMatchObject({ code: expect.any(String), errors: [expect.anything()] })
          await expect(bench.store.dryRun(graph, one, at)).rejects.toEqual(refusal)
        }
    })

    test(`of an erasure names at most ${MAX_ERASED_IDS} memories, and counts them all`, async () => {
      await record(bench.store, 'small', event('skill:a', 'one'))
      const [one] = await exported(bench.store, 'small')
      if (one === undefined) throw new Error('A graph with an event exports it.')
      const many = Array.from(
        { length: MAX_ERASED_IDS + 1 },
        (_, i): PastEvent => ({
          ...one,
          memoryId: `mem_${i.toString(10).padStart(26, '0')}`,
          payload: { i },
          place: i + 1,
        }),
      )
      await bench.store.importGraph('g', inPages(many, 500), at)
      const erased = await bench.store.erase('g', { contextId: 'skill:a' }, { dryRun: true })
      expect(erased).toMatchObject({ memories: MAX_ERASED_IDS + 1, relationships: 0, contexts: 1 })
      expect(erased.memoryIds).toEqual(many.slice(0, MAX_ERASED_IDS).map((event) => event.memoryId))
    })
    test('rejects once the store is closed', async () => {
      await bench.store.close()
      await expect(bench.store.dryRun('g', event('skill:a', 'x'), at)).rejects.toThrow()
    })
  })
}

/** A store that makes a dry run of each event before it records it, and compares. */
function dryFirst(store: Store, see: (receipt: Receipt) => void): Store {
  const state = async (graph: string) => {
    const exists = (await store.graphs([graph], FIRST)).total > 0
    return exists ? [await exported(store, graph), await everything(store, graph)] : undefined
  }
  return {
    ...store,
    async append(graph: string, events: readonly NewMemory[], path) {
      const [one] = events
      if (one === undefined || events.length > 1) throw new Error('One event at a time.')
      const before = await state(graph)
      const dry = await store.dryRun(graph, one, path)
      expect(await state(graph)).toEqual(before)
      const receipts = await store.append(graph, events, path)
      for (const receipt of receipts) {
        const isNew = receipt.status === 'recorded'
        expect(dry).toEqual(isNew ? { ...receipt, memoryId: NO_MEMORY } : receipt)
        see(receipt)
      }
      return receipts
    },
  }
}
