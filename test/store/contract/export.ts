import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { PastEvent } from '../../../src/domain/events/recording.js'
import { Failure } from '../../../src/domain/failure.js'
import { NOTHING_DECIDED } from '../../../src/domain/trust/claims/types.js'
import {
  ask,
  at,
  contradicts,
  event,
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

export function exportContract(open: OpenBench, runs: number): void {
  describe('exportGraph', () => {
    const bench = useStore(open)

    test('gives every event in order of recording, one that was seen again again', async () => {
      const occurredAt = '2024-02-29T12:00:00.000Z'
      const one = event('skill:a', 'one', { source: 'user', occurredAt, ...extending('skill:b') })
      const first = await record(bench.store, 'g', one)
      const second = await record(bench.store, 'g', event('skill:b', 'two', contradicts(first.memoryId)))
      await record(bench.store, 'g', event('skill:a', 'one', reinforces('skill:b', second.memoryId)))
      await bench.store.append('g', [event('skill:a', 'one'), event('skill:b', 'two')], at)
      const memories = [
        { memoryId: first.memoryId, contextId: 'skill:a', payload: { text: 'one' } },
        { memoryId: second.memoryId, contextId: 'skill:b', payload: { text: 'two' } },
      ]
      const events = await exported(bench.store, 'g')
      expect(events).toMatchObject([
        {
          ...memories[0],
          eventKind: 'fact',
          source: 'user',
          timesSeen: 1,
          place: 1,
          links: extending('skill:b').links,
          occurredAt,
        },
        { ...memories[1], timesSeen: 1, place: 2, links: contradicts(first.memoryId).links },
        {
          ...memories[0],
          source: 'agent',
          timesSeen: 2,
          place: 3,
          links: reinforces('skill:b', second.memoryId).links,
        },
        { ...memories[0], timesSeen: 3, place: 4, links: [] },
        { ...memories[1], timesSeen: 2, place: 5, links: [] },
      ])
      for (const { occurredAt, recordedAt } of events.slice(1)) expect(occurredAt).toBe(recordedAt)
      const times = events.map(({ recordedAt }) => recordedAt)
      expect(new Set(times).size).toBe(5)
      expect([...times].sort()).toEqual(times)
      expect(Object.keys(events[2] ?? {}).sort()).toEqual(Object.keys(events[0] ?? {}).sort())
      expect(await exported(await bench.reopen(), 'g')).toEqual(events)
    })

    test('D16: gives the graph as it was when it was asked for, whatever is recorded meanwhile', async () => {
      for (let i = 0; i < 5; i++) await record(bench.store, 'g', event('skill:a', `n${i}`))
      const before = await exported(bench.store, 'g')
      const { events: pages } = await bench.store.exportGraph('g')
      const found: PastEvent[] = []
      await record(bench.store, 'g', event('skill:a', 'n1', extending('skill:b')))
      await record(bench.store, 'g', event('skill:a', 'more'))
      for await (const some of pages) {
        found.push(...some)
        await record(bench.store, 'g', event('skill:a', `during ${found.length}`))
      }
      expect(found).toEqual(before)
    })

    test('of a graph that does not exist is refused at once', async () => {
      await expect(bench.store.exportGraph('none')).rejects.toMatchObject({ code: 'graph_not_found' })
    })
  })

  describe('importGraph', () => {
    const bench = useStore(open)

    /** Five events of two memories, which name each other and were seen again. */
    async function sample(): Promise<PastEvent[]> {
      const { memoryId } = await record(bench.store, 'from', event('skill:a', 'one'))
      await record(bench.store, 'from', event('skill:b', 'two', contradicts(memoryId)))
      await record(bench.store, 'from', event('skill:a', 'one', extending('skill:c')))
      await record(bench.store, 'from', event('skill:b', 'two', reinforces('skill:a')))
      await record(bench.store, 'from', event('skill:a', 'one'))
      return exported(bench.store, 'from')
    }

    test('D17: gives the same graph: same events, same trust, same answers, also after a restart', async () => {
      let run = 0
      const property = fc.asyncProperty(randomSteps, fc.integer({ min: 1, max: 5 }), async (steps, size) => {
        const graph = `g${run++}`
        await recordSteps(bench.store, graph, steps)
        const events = await exported(bench.store, graph)
        const counts = await bench.store.importGraph(`${graph}-copy`, inPages(events, size), at)
        const memories = new Set(events.map(({ memoryId }) => memoryId)).size
        expect(counts).toEqual({ events: events.length, memories })
        expect(await exported(bench.store, `${graph}-copy`)).toEqual(events)
        expect(await withoutPlaces(bench.store, `${graph}-copy`)).toEqual(
          await withoutPlaces(bench.store, graph),
        )
      })
      await fc.assert(property, { numRuns: runs })
      const before = await withoutPlaces(bench.store, 'g0-copy')
      expect(await withoutPlaces(await bench.reopen(), 'g0-copy')).toEqual(before)
    })

    test('what was imported is a graph like any other', async () => {
      const events = await sample()
      await bench.store.importGraph('g', inPages(events), at)
      bench.clock.set('2020-01-01T00:00:00.000Z')
      const again = await record(bench.store, 'g', event('skill:a', 'one'))
      expect(again).toMatchObject({ status: 'duplicate', memoryId: events[0]?.memoryId })
      const next = await record(bench.store, 'g', event('skill:a', 'new', reinforces(again.memoryId)))
      expect(next.memoryId > (events[1]?.memoryId ?? '')).toBe(true)
      expect(await ask(bench.store, 'g').memory(again.memoryId)).toMatchObject({ timesSeen: 4 })
      expect((await bench.store.graphs(undefined, FIRST)).items).toEqual(['from', 'g'])
      expect(await exported(await bench.reopen(), 'g')).toHaveLength(7)
    })

    test('a graph that is there is refused and stays as it is', async () => {
      const events = await sample()
      await record(bench.store, 'g', event('skill:a', 'mine'))
      const before = await withoutPlaces(bench.store, 'g')
      const refused = bench.store.importGraph('g', inPages(events), at)
      await expect(refused).rejects.toMatchObject({ code: 'graph_exists' })
      expect(await withoutPlaces(bench.store, 'g')).toEqual(before)
    })

    test('nobody sees it before it is whole', async () => {
      const events = await sample()
      const seen: unknown[] = []
      const look = async () => {
        seen.push(
          await ask(bench.store, 'g')
            .contextTypes(FIRST)
            .catch((error: Failure) => error.code),
        )
        seen.push((await bench.store.graphs(undefined, FIRST)).items)
      }
      await bench.store.importGraph('g', inPages(events, 2, look), at)
      expect(seen).toEqual(['graph_not_found', ['from']])
      expect((await bench.store.graphs(undefined, FIRST)).items).toEqual(['from', 'g'])
    })

    test('events that end in an error leave nothing behind', async () => {
      const events = await sample()
      const cut = new Failure('invalid_import', 'The stream was cut.')
      const refused = bench.store.importGraph(
        'g',
        inPages(events, 2, () => Promise.reject(cut)),
        at,
      )
      await expect(refused).rejects.toBe(cut)
      for await (const store of bench.nowAndReopened()) {
        await expect(ask(store, 'g').contextTypes(FIRST)).rejects.toMatchObject({ code: 'graph_not_found' })
        expect((await store.graphs(undefined, FIRST)).items).toEqual(['from'])
      }
      await bench.store.importGraph('g', inPages(events), at)
      expect(await exported(bench.store, 'g')).toEqual(events)
    })

    test('no events are a graph that holds nothing', async () => {
      expect(await bench.store.importGraph('g', inPages([]), at)).toEqual({ events: 0, memories: 0 })
      for await (const store of bench.nowAndReopened()) {
        expect(await ask(store, 'g').contextTypes(FIRST)).toMatchObject({ total: 0 })
        expect(await exported(store, 'g')).toEqual([])
      }
      expect(await record(bench.store, 'g', event('skill:a', 'x'))).toMatchObject({ status: 'recorded' })
    })

    const none = 'mem_00000000000000000000000000'
    const wrong: [string, number, (events: PastEvent[]) => void][] = [
      ['an id that does not rise', 1, (events) => change(events, 1, { memoryId: none })],
      ['an id that is none', 0, (events) => change(events, 0, { memoryId: 'mem_1' })],
      ['a memory that was recorded before', 2, (events) => change(events, 2, { timesSeen: 1 })],
      [
        'an event that was recorded before, under another id',
        4,
        (events) => change(events, 4, { memoryId: `mem_7${'Z'.repeat(25)}`, timesSeen: 1 }),
      ],
      ['a sighting too many', 2, (events) => change(events, 2, { timesSeen: 3 })],
      ['a sighting that is missing', 3, (events) => void events.splice(2, 1)],
      ['a first event that is missing', 0, (events) => void events.shift()],
      ['a repeat that says something else', 2, (events) => change(events, 2, { payload: { text: 'other' } })],
      ['a repeat in another context', 2, (events) => change(events, 2, { contextId: 'skill:b' })],
      ['a repeat of another kind', 2, (events) => change(events, 2, { eventKind: 'action' })],
      ['a place that does not rise', 2, (events) => change(events, 2, { place: 2 })],
      ['a decision that does not follow', 1, (events) => change(events, 1, { decisions: NOTHING_DECIDED })],
      [
        'a decision on a memory that is not linked to',
        2,
        (events) => {
          const bears = [[events[1]?.memoryId ?? '']]
          change(events, 2, { decisions: { ...NOTHING_DECIDED, bears } })
        },
      ],
      ['a link to a memory that is not there yet', 1, (events) => change(events, 1, contradicts(none))],
      [
        'a time of recording that goes back',
        1,
        (events) => change(events, 1, { recordedAt: '2020-01-01T00:00:00.000Z' }),
      ],
    ]

    test.each(wrong)('D17: %s is refused, with its place, and nothing is there', async (_, place, spoil) => {
      const events = await sample()
      spoil(events)
      await expect(bench.store.importGraph('g', inPages(events, 2), at)).rejects.toMatchObject({
        code: 'invalid_import',
        message: expect.stringMatching(/^[A-Z].*\.$/),
        errors: [{ path: `/body/events/${place}`, message: expect.stringMatching(/./) }],
      })
      for await (const store of bench.nowAndReopened())
        await expect(ask(store, 'g').contextTypes(FIRST)).rejects.toMatchObject({ code: 'graph_not_found' })
    })

    test('a memory that names itself before it was recorded is refused', async () => {
      const events = await sample()
      change(events, 0, contradicts(events[0]?.memoryId ?? ''))
      await expect(bench.store.importGraph('g', inPages(events), at)).rejects.toMatchObject({
        code: 'invalid_import',
      })
    })

    test('two imports and an append at once: one of them makes the graph, and nothing is mixed', async () => {
      const events = await sample()
      const changed = events.map((event) => ({ ...event, recordedBy: 'key_01KJPZ6C3RS6ACV2ZXG3FQ2E8Q' }))
      const [one, two, appended] = await Promise.allSettled([
        bench.store.importGraph('g', inPages(events, 1), at),
        bench.store.importGraph('g', inPages(changed, 1), at),
        record(bench.store, 'g', event('skill:mine', 'appended')),
      ])
      expect(appended.status).toBe('fulfilled')
      const won = [one, two].filter(({ status }) => status === 'fulfilled')
      expect(won.length).toBeLessThanOrEqual(1)
      for (const result of [one, two])
        if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'graph_exists' })
      const imported = one.status === 'fulfilled' ? events : two.status === 'fulfilled' ? changed : []
      for await (const store of bench.nowAndReopened()) {
        const found = await exported(store, 'g')
        expect(found.slice(0, imported.length)).toEqual(imported)
        expect(found.slice(imported.length)).toMatchObject([{ contextId: 'skill:mine' }])
      }
    })
  })
}

function change(events: PastEvent[], index: number, more: Partial<PastEvent>): void {
  const event = events[index]
  if (event !== undefined) events[index] = { ...event, ...more }
}
