import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Link, LinkKind } from '../../../src/domain/model.js'
import { byCodeUnit } from '../../../src/domain/names.js'
import type { NeighbourhoodLimits } from '../../../src/domain/survey/neighbourhood.js'
import type { Store } from '../../../src/store/store.js'
import {
  at,
  contradicts,
  event,
  everything,
  extending,
  FIRST,
  type OpenBench,
  record,
  reinforces,
} from '../support.js'
import { useStore } from './bench.js'

const G = 'g'
const MISSING = 'mem_00000000000000000000000000'

/** What builds on what, and what replaces it: to single memories and to whole contexts, new or stated again. */
const buildings = fc.array(
  fc.record({
    text: fc.nat(39),
    source: fc.constantFrom('agent' as const, 'agent' as const, 'validator' as const),
    kind: fc.constantFrom<LinkKind>(
      'extension',
      'extension',
      'reinforcement',
      'contradiction',
      'contradiction',
    ),
    target: fc.nat(20),
    isWhole: fc.integer({ min: 0, max: 3 }).map((n) => n === 0),
  }),
  { minLength: 8, maxLength: 20 },
)
type Buildings = typeof buildings extends fc.Arbitrary<infer T> ? T : never
/** One of them in which something is stale: the second builds on the first, which the third replaces. */
const STALE: Buildings = [
  { text: 0, source: 'agent', kind: 'reinforcement', target: 0, isWhole: true },
  { text: 1, source: 'agent', kind: 'extension', target: 0, isWhole: false },
  { text: 2, source: 'agent', kind: 'contradiction', target: 0, isWhole: false },
]
const WORDS = 'kettle train harbour ledger violin desert magnet orchard bishop candle'.split(' ')

async function build(store: Store, graph: string, steps: Buildings) {
  const ids = new Set<string>()
  for (const { text, source, kind, target, isWhole } of steps) {
    const known = [...ids]
    const named = isWhole ? `c:${target % 3}` : (known[target % Math.max(1, known.length)] ?? 'c:0')
    const one = event(`c:${text % 3}`, `${WORDS[text % 10]} ${WORDS[text >> 2]}`, {
      source,
      links: [{ kind, target: named }],
    })
    ids.add((await record(store, graph, one)).memoryId)
  }
  return [...ids]
}

export function surveyContract(open: OpenBench, runs: number): void {
  describe('survey', () => {
    const bench = useStore(open)
    const around = (id: string, reach: Partial<NeighbourhoodLimits> = {}, store: Store = bench.store) =>
      store.read(G, async (graph) => graph.neighbourhood(id, { depth: 1, limit: 100, ...reach }))
    const disputes = (paging = FIRST, store: Store = bench.store) =>
      store.read(G, async (graph) => graph.disputes(paging))
    const stale = (paging = FIRST, store: Store = bench.store) =>
      store.read(G, async (graph) => graph.stale(paging))
    const counts = (store: Store = bench.store) => store.read(G, async (graph) => graph.counts())
    const say = async (contextId: string, text: string, more: object = {}) =>
      (await record(bench.store, G, event(contextId, text, more))).memoryId
    const linking = (kind: LinkKind, ...targets: string[]) => ({
      links: targets.map((target): Link => ({ kind, target })),
    })

    test('graph_not_found: each of its questions', async () => {
      const history = bench.store.read(G, async (graph) => graph.history(MISSING, FIRST))
      for (const read of await Promise.allSettled([around('a:a'), disputes(), stale(), counts(), history]))
        expect(read).toMatchObject({ status: 'rejected', reason: { code: 'graph_not_found' } })
    })

    describe('what lies around a context', () => {
      const short = ({ contexts }: Awaited<ReturnType<typeof around>>) =>
        contexts.map(({ contextId, distance }) => `${distance} ${contextId}`)

      test('context_not_found: a context that is not there', async () => {
        await say('a:a', 'x')
        await expect(around('a:b')).rejects.toMatchObject({ code: 'context_not_found' })
      })

      test('at the same distance: by the memories that state its links, then by its own, then by id', async () => {
        await say('a:hub', 'one', linking('related-to', 'z:most', 'z:own', 'b:x', 'a-b:x', 'b:😀', 'b:ﬀ'))
        await say('a:hub', 'two', linking('extension', 'z:most'))
        await say('z:most', 'one', linking('related-to', 'a:hub'))
        await say('z:own', 'one')
        for await (const store of bench.nowAndReopened())
          expect(short(await around('a:hub', {}, store))).toEqual([
            '0 a:hub',
            '1 z:most',
            '1 z:own',
            '1 a-b:x',
            '1 b:x',
            '1 b:😀',
            '1 b:ﬀ',
          ])
      })

      test('a link has its two ends, its kind, its weight and its times, and comes once', async () => {
        await say('a:a', 'one', linking('related-to', 'b:b', 'a:a'))
        await say('a:a', 'two', linking('related-to', 'b:b'))
        await say('b:b', 'one', linking('extension', 'a:a'))
        await say('b:b', 'two', linking('related-to', 'a:a'))
        const { links } = await around('a:a', { depth: 3 })
        expect(links.map(({ from, to, kind, weight }) => [from, to, kind, weight])).toEqual([
          ['a:a', 'a:a', 'related-to', 1],
          ['a:a', 'b:b', 'related-to', 2],
          ['b:b', 'a:a', 'extension', 1],
          ['b:b', 'a:a', 'related-to', 1],
        ])
        const [, twice] = links
        expect((twice?.firstSeen ?? '') < (twice?.lastSeen ?? '')).toBe(true)
      })

      test.each([
        { hub: 'a hub that most contexts have links with', others: 0 },
        { hub: 'a hub in a graph of many more', others: 1500 },
      ])('$hub: the best of its links, those with another hub and with itself', async ({ others }) => {
        const parts = Array.from({ length: 300 }, (_, i) => `n:${String(i).padStart(3, '0')}`)
        await bench.store.append(
          G,
          [
            event('a:hub', 'of many', linking('related-to', 'a:hub', 'b:hub')),
            event('b:hub', 'of many', linking('extension', 'a:hub')),
            ...parts.map((id) => event(id, 'part', linking('related-to', 'a:hub', 'b:hub'))),
            event('n:250', 'part again', linking('extension', 'b:hub')),
            event('n:123', 'alone'),
            ...Array.from({ length: others }, (_, i) => event(`o:${i}`, 'something else')),
          ],
          at,
        )
        for await (const store of bench.nowAndReopened()) {
          const { contexts, links, leftOut } = await around('b:hub', { limit: 4 }, store)
          expect(contexts.map(({ contextId }) => contextId)).toEqual(['b:hub', 'n:250', 'a:hub', 'n:123'])
          expect(leftOut).toEqual({ contexts: 298, links: 0, unexplored: 0 })
          expect(links.map(({ from, kind, to }) => `${from} ${kind} ${to}`)).toEqual([
            'b:hub extension a:hub',
            'n:250 extension b:hub',
            'n:250 related-to b:hub',
            'n:250 related-to a:hub',
            'a:hub related-to b:hub',
            'a:hub related-to a:hub',
            'n:123 related-to b:hub',
            'n:123 related-to a:hub',
          ])
        }
      })

      test('at most 10,000 links are given, and the others counted', async () => {
        const ids = Array.from({ length: 101 }, (_, i) => `n:${String(i).padStart(3, '0')}`)
        await bench.store.append(
          G,
          ids.map((id) => event(id, id, linking('related-to', ...ids))),
          at,
        )
        const { contexts, links, leftOut } = await around('n:000', { limit: 1000 })
        expect([contexts.length, links.length, leftOut]).toEqual([
          101,
          10_000,
          { contexts: 0, links: 201, unexplored: 0 },
        ])
        expect(links[0]).toMatchObject({ from: 'n:000', to: 'n:000' })
      })
    })

    describe('open contradictions', () => {
      test('each pair once with both sides, by the later of the two, the latest first, a page at a time', async () => {
        const first = await say('a:a', 'one', { source: 'user' })
        const second = await say('a:a', 'two', { source: 'user' })
        const against = await say('a:a', 'three', { source: 'agent', ...contradicts(second, first) })
        const third = await say('b:b', 'one', { source: 'validator' })
        const last = await say('b:b', 'two', { source: 'agent', ...contradicts(third) })
        const wanted = [
          [third, last],
          [second, against],
          [first, against],
        ]
        const pairs = async (store: Store, paging = FIRST) => {
          const page = await disputes(paging, store)
          expect(page.total).toBe(3)
          return page.items.map(({ earlier, later }) => [earlier.memoryId, later.memoryId])
        }
        for await (const store of bench.nowAndReopened()) {
          expect(await pairs(store)).toEqual(wanted)
          expect(await pairs(store, { page: 0, pageSize: 2 })).toEqual(wanted.slice(0, 2))
          expect(await pairs(store, { page: 1, pageSize: 2 })).toEqual(wanted.slice(2))
          expect(await pairs(store, { page: 2, pageSize: 2 })).toEqual([])
        }
        const [item] = (await disputes()).items
        expect(item?.later.trust.disputedBy).toEqual([third])
      })

      test('a pair that is settled, or of which one side is erased, is open no more', async () => {
        const one = await say('a:a', 'one', { source: 'user' })
        const other = await say('a:a', 'two', { source: 'agent', ...contradicts(one) })
        const far = await say('b:b', 'one', { source: 'user' })
        await say('b:b', 'two', { source: 'agent', ...contradicts(far) })
        await say('a:a', 'two', { source: 'user', ...contradicts(one) })
        expect((await disputes()).items.map(({ later }) => later.memoryId)).not.toContain(other)
        expect((await disputes()).total).toBe(1)
        await bench.store.erase(G, { memoryId: far }, { dryRun: false })
        expect(await disputes()).toEqual({ items: [], total: 0, ...FIRST })
      })

      test('a pair is open while both sides hold', async () => {
        const ends = { validUntil: '2025-01-02T00:00:00.000Z' }
        const over = await say('a:a', 'one', { source: 'user', ...ends })
        await say('a:a', 'two', contradicts(over))
        const holds = await say('b:b', 'one', { source: 'user' })
        await say('b:b', 'two', contradicts(holds))
        const earlier = async () => (await disputes()).items.map(({ earlier }) => earlier.memoryId)
        expect([await earlier(), (await disputes()).total]).toEqual([[holds, over], 2])
        bench.clock.set('2025-01-03T00:00:00.000Z')
        expect([await earlier(), (await disputes()).total]).toEqual([[holds], 1])
      })
    })

    describe('stale memories', () => {
      const because = async (store?: Store) =>
        (await stale(FIRST, store)).items.map(({ memory, because }) => [memory.memoryId, because])

      test('what extends or reinforces something superseded, also through others, the latest first', async () => {
        const base = await say('a:a', 'base')
        const direct = await say('b:b', 'builds on it', extending(base))
        const through = await say('c:c', 'builds on that', extending(direct))
        const agrees = await say('d:d', 'agrees', reinforces(base))
        await say('e:e', 'builds on what stands', extending(await say('e:e', 'stands')))
        expect(await stale()).toEqual({ items: [], total: 0, isCut: false, ...FIRST })
        const by = await say('a:a', 'other', contradicts(base))
        const replaced = [{ memoryId: base, contextId: 'a:a', supersededBy: [by] }]
        for await (const store of bench.nowAndReopened()) {
          expect(await because(store)).toEqual([
            [agrees, replaced],
            [through, replaced],
            [direct, replaced],
          ])
          const page = await stale({ page: 1, pageSize: 2 }, store)
          expect([page.items.map(({ memory }) => memory.memoryId), page.total]).toEqual([[direct], 3])
        }
        // What is stated again is stale no more, and nor is what builds on it alone.
        await say('b:b', 'builds on it', extending(base))
        expect((await stale()).items.map(({ memory }) => memory.memoryId)).toEqual([agrees])
      })

      test('what extends a context as a whole, none of whose memories of that time stands', async () => {
        const first = await say('a:a', 'The kettle is red')
        const second = await say('a:a', 'Trains leave at noon')
        const whole = await say('b:b', 'Nothing alike in any word', extending('a:a'))
        const by = await say('a:a', 'one', contradicts(first))
        expect(await because()).toEqual([])
        const last = await say('a:a', 'two', contradicts(second))
        expect([by < last, await because()]).toEqual([
          true,
          [[whole, [{ memoryId: second, contextId: 'a:a', supersededBy: [last] }]]],
        ])
      })

      test('of several contexts that are lost, what was recorded last is named first', async () => {
        const kettle = await say('a:a', 'The kettle is red')
        const trains = await say('b:b', 'Trains leave at noon')
        const onBoth = [
          await say('c:c', 'Nothing alike in any word', extending('a:a', 'b:b')),
          await say('c:c', 'Quite another thing', extending('b:b', 'a:a')),
        ]
        for (const id of [trains, kettle]) await say('d:d', `not ${id}`, contradicts(id))
        for await (const store of bench.nowAndReopened())
          for (const { memory, because } of (await stale(FIRST, store)).items)
            expect([onBoth.includes(memory.memoryId), because.map(({ memoryId }) => memoryId)]).toEqual([
              true,
              [trains, kettle],
            ])
        expect((await stale()).total).toBe(2)
      })

      test('what was built on may be erased: then nothing can be named', async () => {
        const base = await say('a:a', 'base')
        const direct = await say('b:b', 'builds on it', extending(base))
        await say('a:a', 'other', contradicts(base))
        await bench.store.erase(G, { memoryId: base }, { dryRun: false })
        for await (const store of bench.nowAndReopened()) expect(await because(store)).toEqual([[direct, []]])
      })

      test('a memory that has ended is not stale any more', async () => {
        const ends = { validUntil: '2025-01-02T00:00:00.000Z' }
        const base = await say('a:a', 'base')
        const direct = await say('b:b', 'builds on it', { ...extending(base), ...ends })
        await say('a:a', 'other', contradicts(base))
        expect((await stale()).items.map(({ memory }) => memory.memoryId)).toEqual([direct])
        bench.clock.set('2025-01-03T00:00:00.000Z')
        expect(await stale()).toMatchObject({ items: [], total: 0 })
        expect(await counts()).toMatchObject({ stale: 0, expired: 1 })
      })

      test('a chain is followed through 100 others and no further', async () => {
        const base = await say('a:a', 'base')
        let last = base
        for (let i = 0; i < 102; i++) last = await say('b:b', `step ${i}`, extending(last))
        await say('a:a', 'other', contradicts(base))
        // That there may be more is said, also where they are counted.
        expect(await stale()).toMatchObject({ total: 101, isCut: true })
        expect(await counts()).toMatchObject({ stale: 101, isStaleCut: true })
      })

      test('are those whose status says so, whatever was recorded and erased', async () => {
        let run = 0
        let seen = 0
        const property = fc.asyncProperty(buildings, fc.nat(20), async (steps, pick) => {
          const graph = `r${run++}`
          const ids = await build(bench.store, graph, steps)
          for (const isErased of [false, true]) {
            const memoryId = ids[pick % ids.length] ?? MISSING
            if (isErased) await bench.store.erase(graph, { memoryId }, { dryRun: false })
            const { memories } = await everything(bench.store, graph)
            const told = memories.flatMap(({ items }) => items)
            const wanted = told
              .filter(({ trust }) => trust.status === 'stale')
              .map(({ memoryId }) => memoryId)
            const [listed, open, counted] = await bench.store.read(graph, async (reader) => [
              await reader.stale(FIRST),
              await reader.disputes(FIRST),
              await reader.counts(),
            ])
            expect(listed.items.map(({ memory }) => memory.memoryId)).toEqual(
              wanted.sort((a, b) => byCodeUnit(b, a)),
            )
            const disputing = told.reduce((sum, { trust }) => sum + trust.disputedBy.length, 0)
            expect([2 * open.total, counted.stale, counted.memories]).toEqual([
              disputing,
              wanted.length,
              told.length,
            ])
            expect(counted.superseded).toBe(told.filter(({ trust }) => trust.status === 'superseded').length)
            expect(counted.statements).toBe(told.reduce((sum, { timesSeen }) => sum + timesSeen, 0))
            seen += wanted.length
          }
        })
        await fc.assert(property, { numRuns: runs, examples: [[STALE, 0]] })
        expect(seen).toBeGreaterThan(0)
      }, 120_000)
    })

    describe('the history of a memory', () => {
      const history = (id: string, paging = FIRST, store: Store = bench.store) =>
        store.read(G, async (graph) => graph.history(id, paging))

      test('memory_not_found: a memory that is not there', async () => {
        await say('a:a', 'x')
        await expect(history(MISSING)).rejects.toMatchObject({ code: 'memory_not_found' })
      })

      test('each statement in order: its own, its repeats, and those of memories that reinforce it', async () => {
        const old = await say('a:a', 'old')
        const occurredAt = '2024-05-05T00:00:00.000Z'
        const id = await say('a:a', 'new', { source: 'user', occurredAt, ...contradicts(old) })
        const other = await say('b:b', 'agrees', { source: 'validator', ...reinforces(id) })
        await say('a:a', 'new', { source: 'system', ...linking('related-to', 'c:c') })
        await say('b:b', 'agrees', { source: 'validator', links: [] })
        const supersedes = { memoryId: old, contextId: 'a:a', effect: 'supersedes' }
        for await (const store of bench.nowAndReopened()) {
          const { items, ...rest } = await history(id, FIRST, store)
          expect(items).toMatchObject([
            {
              place: 2,
              memoryId: id,
              source: 'user',
              occurredAt,
              bearsOn: [supersedes],
              ...contradicts(old),
            },
            {
              ...{ place: 3, memoryId: other, source: 'validator', ...reinforces(id) },
              bearsOn: [{ memoryId: id, contextId: 'a:a', effect: 'reinforces' }],
            },
            { place: 4, memoryId: id, source: 'system', bearsOn: [], ...linking('related-to', 'c:c') },
          ])
          const [first] = items
          const gone = { place: 2, recordedAt: first?.recordedAt, source: 'user' }
          expect(rest).toEqual({
            total: 3,
            ...FIRST,
            spells: [{ validFrom: occurredAt }],
            supersedes: [{ memoryId: old, ...gone }],
            supersededBy: [],
          })
          expect(await history(old, FIRST, store)).toMatchObject({
            items: [{ place: 1, memoryId: old, links: [], bearsOn: [] }],
            supersedes: [],
            supersededBy: [{ memoryId: id, ...gone }],
          })
          const page = await history(id, { page: 1, pageSize: 2 }, store)
          expect([page.items.map(({ place }) => place), page.total]).toEqual([[4], 3])
          expect((await history(other, FIRST, store)).items.map(({ place }) => place)).toEqual([3, 5])
        }
      })

      test('a first statement keeps its own time when the same event happens again', async () => {
        const [before, after] = ['2024-01-01T00:00:00.000Z', '2024-06-01T00:00:00.000Z']
        const id = await say('a:a', 'x', { occurredAt: before })
        await say('b:b', 'agrees', reinforces(id))
        await say('a:a', 'x', { occurredAt: after })
        for await (const store of bench.nowAndReopened()) {
          const { items } = await history(id, FIRST, store)
          expect(items.map(({ place }) => place)).toEqual([1, 2, 3])
          expect([items[0]?.occurredAt, items[2]?.occurredAt]).toEqual([before, after])
        }
      })

      test('what was replaced by a repeat went at the place of the repeat', async () => {
        const one = await say('a:a', 'one', { source: 'user' })
        const two = await say('a:a', 'two', { source: 'agent', ...contradicts(one) })
        await say('a:a', 'two', { source: 'user', ...contradicts(one) })
        const { items, supersedes } = await history(two)
        const repeat = { place: 3, recordedAt: items[1]?.recordedAt, source: 'user' }
        expect(supersedes).toEqual([{ memoryId: one, ...repeat }])
        expect((await history(one)).supersededBy).toEqual([{ memoryId: two, ...repeat }])
      })

      test('what replaced an erased memory, and with that the one before it, still says so', async () => {
        const one = await say('a:a', 'The current release is v1')
        const two = await say('a:a', 'The current release is v2', contradicts(one))
        const last = await say('a:a', 'The current release is v3', contradicts(two))
        await bench.store.erase(G, { memoryId: two }, { dryRun: false })
        for await (const store of bench.nowAndReopened()) {
          const { items, supersedes } = await history(last, FIRST, store)
          expect(supersedes).toMatchObject([{ memoryId: one, place: 3 }])
          expect(items).toMatchObject([
            { place: 3, links: [], bearsOn: [{ memoryId: one, contextId: 'a:a', effect: 'supersedes' }] },
          ])
        }
      })
    })

    describe('what is worth knowing first', () => {
      const ids = (memories: readonly { readonly memoryId: string }[]) =>
        memories.map(({ memoryId }) => memoryId)

      test('the latest decisions, what was confirmed most, and the latest, as far as they stand', async () => {
        const decision = { eventKind: 'decision' as const }
        const old = await say('a:a', 'one', decision)
        const kept = await say('a:a', 'two', decision)
        const by = await say('a:a', 'three', { ...decision, ...contradicts(old) })
        const by1 = { recordedBy: 'key_1' }
        const seen = await say('b:b', 'seen by two')
        await say('b:b', 'seen by two', by1)
        const known = await say('b:b', 'known')
        const agreeing = [
          await say('c:c', 'agrees', { ...reinforces(known), ...by1 }),
          await say('c:c', 'too', { ...reinforces(known), recordedBy: 'key_2' }),
        ]
        const insisting = await say('d:d', 'said again and again')
        for (let i = 0; i < 3; i++) await say('d:d', 'said again and again')
        for await (const store of bench.nowAndReopened()) {
          const all = await store.read(G, async (graph) => graph.highlights(10))
          expect(ids(all.decisions)).toEqual([by, kept])
          expect(ids(all.confirmed)).toEqual([known, seen])
          expect(ids(all.latest)).toEqual([insisting, ...agreeing.reverse(), known, seen, by, kept])
          agreeing.reverse()
          const few = await store.read(G, async (graph) => graph.highlights(1))
          expect([ids(few.decisions), ids(few.confirmed), ids(few.latest)]).toEqual([
            [by],
            [known],
            [insisting],
          ])
        }
      })
    })

    describe('in numbers', () => {
      test('memories by type, kind and status, statements by source and month', async () => {
        bench.clock.set('2025-01-31T23:59:50.000Z')
        const old = await say('skill:a', 'x', { source: 'user' })
        await say('skill:b', 'x', { eventKind: 'decision', ...linking('related-to', 'tool:z', 'skill:a') })
        bench.clock.set('2025-03-01T00:00:00.000Z')
        await say('skill:a', 'y', { source: 'validator', ...contradicts(old) })
        await say('skill:a', 'y', { source: 'agent' })
        for await (const store of bench.nowAndReopened())
          expect(await counts(store)).toEqual({
            memories: 3,
            contexts: 3,
            relationships: 3,
            statements: 4,
            types: [
              { contextType: 'skill', contexts: 2, memories: 3 },
              { contextType: 'tool', contexts: 1, memories: 0 },
            ],
            kinds: { fact: 2, action: 0, decision: 1, observation: 0, feedback: 0 },
            sources: { agent: 2, user: 1, system: 0, validator: 1, executor: 0 },
            superseded: 1,
            planned: 0,
            expired: 0,
            stale: 0,
            isStaleCut: false,
            months: [
              { month: '2025-01', statements: 2 },
              { month: '2025-03', statements: 2 },
            ],
            firstAt: expect.stringMatching(/^2025-01-31T23:59:/),
            lastAt: expect.stringMatching(/^2025-03-01T00:00:/),
            place: 4,
            unread: 0,
          })
      })

      test('what was erased is not counted; places go on', async () => {
        const first = await say('a:a', 'x', linking('related-to', 'b:b'))
        const last = await say('c:c', 'y')
        await bench.store.erase(G, { memoryId: last }, { dryRun: false })
        const before = await counts()
        expect(before).toMatchObject({ memories: 1, contexts: 2, relationships: 1, statements: 1, place: 2 })
        expect(before.lastAt).toBe(before.firstAt)
        await bench.store.erase(G, { memoryId: first }, { dryRun: false })
        for await (const store of bench.nowAndReopened())
          expect(await counts(store)).toMatchObject({
            memories: 0,
            contexts: 0,
            relationships: 0,
            types: [],
            months: [],
            firstAt: undefined,
            lastAt: undefined,
            place: 2,
          })
      })
    })
  })
}
