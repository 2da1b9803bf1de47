import { describe, expect, test } from 'vitest'
import type { Link, NewMemory, Source } from '../../../src/domain/model.js'
import { SOURCES } from '../../../src/domain/model.js'
import { NOTHING_DECIDED } from '../../../src/domain/trust/claims/types.js'
import {
  ask,
  at,
  contradicts,
  event,
  exported,
  extending,
  inPages,
  type OpenBench,
  record,
  reinforces,
  withoutPlaces,
} from '../support.js'
import { useStore } from './bench.js'
import { fieldsContract } from './fields.js'

const CERTAIN = { dryRun: false }
const RANKS: Readonly<Record<Source, number>> = {
  validator: 0.9,
  executor: 0.8,
  user: 0.7,
  agent: 0.6,
  system: 0.5,
}
const port = (number: number | string) => `The API listens on port ${number}`
const links = (...parts: Pick<NewMemory, 'links'>[]) => ({ links: parts.flatMap((part) => part.links) })
const by = (source: Source, ...parts: Pick<NewMemory, 'links'>[]) => ({ source, ...links(...parts) })

export function trustContract(open: OpenBench): void {
  fieldsContract(open)

  describe('trust', () => {
    const bench = useStore(open)
    const tell = (contextId: string, text: string, more: Partial<NewMemory> = {}) =>
      record(bench.store, 'g', event(contextId, text, more))
    const say = async (contextId: string, text: string, more: Partial<NewMemory> = {}) =>
      (await tell(contextId, text, more)).memoryId
    const memory = (id: string) => ask(bench.store, 'g').memory(id)
    const trustOf = async (id: string) => (await memory(id)).trust
    const statuses = (...ids: string[]) => Promise.all(ids.map(async (id) => (await memory(id)).trust.status))
    const erase = (memoryId: string) => bench.store.erase('g', { memoryId }, CERTAIN)
    const against = async (id: string) => {
      const found = await bench.store.read('g', async (graph) => graph.recordsAgainst([id]))
      return found.get(id)?.map(({ memoryId }) => memoryId) ?? []
    }
    /** Others that speak of other things, in the same contexts and elsewhere. */
    const fill = (count: number) =>
      bench.store.append(
        'g',
        Array.from({ length: count }, (_, i) =>
          event(i % 2 ? 'skill:api' : `skill:${i % 7}`, `Customer ${i} ordered ${i + 3} red chairs`),
        ),
        at,
      )

    test('what a repeat settles is told in order of recording', async () => {
      const [first, second] = [await say('a:a', 'one', by('user')), await say('b:b', 'two', by('user'))]
      const weak = await say('c:c', 'three', by('agent', contradicts(second)))
      await tell('c:c', 'three', by('agent', contradicts(first)))
      const { memoryId, bearsOn } = await tell('c:c', 'three', by('user'))
      expect([memoryId, bearsOn.map((one) => one.memoryId)]).toEqual([weak, [first, second]])
    })

    describe('T1: claims and statements', () => {
      test('starts from the rank of the source', async () => {
        for (const source of SOURCES) {
          const one = await memory(await say('skill:a', source, { source }))
          expect(one).toMatchObject({ source, timesSeen: 1 })
          expect(one.trust).toEqual({
            confidence: RANKS[source],
            status: 'current',
            supersededBy: [],
            supersedes: [],
            disputedBy: [],
            agreement: 0,
            lastStatedAt: one.recordedAt,
          })
        }
      })

      test('rises with each further key and source, at most four times, and never over 0.99', async () => {
        const first = await say('skill:a', port(80))
        await say('skill:b', 'right 1', { ...reinforces(first), recordedBy: 'key_1' })
        expect(await trustOf(first)).toMatchObject({ confidence: 0.65, agreement: 1 })
        await say('skill:a', port(80), { recordedBy: 'key_2' })
        expect(await trustOf(first)).toMatchObject({ confidence: 0.7, agreement: 2 })
        for (const text of ['3', '4', '5', '6'])
          await say('skill:b', text, { ...reinforces(first), recordedBy: `key_${text}` })
        expect(await trustOf(first)).toMatchObject({ confidence: 0.8, agreement: 6 })
        await say('skill:a', port(80), by('validator'))
        expect(await trustOf(first)).toMatchObject({ confidence: 0.99, agreement: 7 })
      })

      test('what the same key and source say again adds nothing, by itself or by another memory', async () => {
        for (const key of [{}, { recordedBy: 'key_1' }]) {
          const first = await say('skill:a', `${port(80)} ${key.recordedBy}`, key)
          for (let i = 0; i < 3; i++) await say('skill:a', `${port(80)} ${key.recordedBy}`, key)
          await say('skill:b', 'right', { ...reinforces(first), ...key })
          await say('skill:b', 'yes, right', { ...reinforces(first), ...key })
          expect(await trustOf(first)).toMatchObject({ confidence: 0.6, agreement: 0 })
          await say('skill:a', `${port(80)} ${key.recordedBy}`, { ...key, source: 'system' })
          for await (const _ of bench.nowAndReopened())
            expect(await trustOf(first)).toMatchObject({ confidence: 0.65, agreement: 1 })
        }
      })

      test('a sighting has its own source, links, time and place; the most trusted source is shown', async () => {
        const first = await say('skill:a', port(80))
        const other = await say('skill:b', 'Lunch is at noon')
        await tell('skill:a', port(80), {
          ...by('user', extending(other)),
          occurredAt: '2024-02-29T12:00:00.000Z',
        })
        const seen = await memory(first)
        expect(seen).toMatchObject({
          source: 'user',
          timesSeen: 2,
          occurredAt: '2024-02-29T12:00:00.000Z',
          links: extending(other).links,
          trust: { confidence: 0.75 },
        })
        expect(seen.trust.lastStatedAt > seen.recordedAt).toBe(true)
        await tell('skill:a', port(80), by('system'))
        expect(await memory(first)).toMatchObject({ source: 'user', timesSeen: 3 })
      })

      test('falls with each standing claim in open contradiction, at most three, and never below 0.2', async () => {
        const claim = await say('skill:a', port(80), by('user'))
        const doubts: string[] = []
        for (const [i, confidence] of [0.6, 0.5, 0.4, 0.4].entries()) {
          doubts.push(await say('skill:b', `No ${i}`, by('agent', contradicts(claim))))
          expect(await trustOf(claim)).toMatchObject({ status: 'current', confidence, disputedBy: doubts })
        }
        const low = await say('skill:c', 'The shop is open')
        for (const text of ['a', 'b', 'c', 'd']) await say('skill:d', text, by('system', contradicts(low)))
        expect(await trustOf(low)).toMatchObject({ confidence: 0.3, status: 'current' })
      })
    })

    describe('T2: what a link bears on', () => {
      test('a link to a memory bears on that one and no other', async () => {
        const [one, two] = [await say('skill:a', port(80)), await say('skill:b', port(81))]
        const { memoryId, bearsOn } = await tell('skill:a', 'The lift is stuck', contradicts(one))
        expect(bearsOn).toEqual([
          { memoryId: one, contextId: 'skill:a', effect: 'supersedes', rule: 'memory' },
        ])
        expect(await trustOf(one)).toMatchObject({
          status: 'superseded',
          confidence: 0.2,
          supersededBy: [memoryId],
        })
        expect(await trustOf(memoryId)).toMatchObject({ status: 'current', supersedes: [one] })
        expect(await statuses(two)).toEqual(['current'])
      })

      test('one memory both reinforced and contradicted is refused, and leaves no trace', async () => {
        const one = await say('skill:a', port(80))
        const before = await withoutPlaces(bench.store, 'g')
        const both = event('skill:a', 'hm', links(reinforces(one), contradicts('skill:b', one)))
        await expect(
          bench.store.append('g', [event('skill:a', 'fine', contradicts(one)), both], at),
        ).rejects.toMatchObject({
          code: 'invalid_event',
          errors: [{ path: '/body/events/1/contradicts/1', message: expect.stringContaining(one) }],
        })
        for await (const store of bench.nowAndReopened())
          expect(await withoutPlaces(store, 'g')).toEqual(before)
      })

      test.each([0, 3_000])(
        'a link to a context bears on what surely speaks of the same thing, beside %i others',
        async (others) => {
          await say('skill:api', 'Anna is allergic to peanuts')
          if (others > 0) await fill(others)
          const old = await say('skill:api', port(8080))
          const allergy = await say('skill:api', "Anna's office is in Hamburg")
          const agreeing = await tell('skill:b', port('8080.'), reinforces('skill:api'))
          const [on, rule] = [{ memoryId: old, contextId: 'skill:api' }, 'text']
          expect(agreeing.bearsOn).toEqual([{ ...on, effect: 'reinforces', rule }])
          const built = await tell('skill:c', 'The API listens on port 8080 of the gateway', extending(old))
          expect(built.bearsOn).toMatchObject([{ memoryId: old, effect: 'extends' }])
          const next = await tell('skill:b', port(9090), contradicts('skill:api'))
          expect(next.bearsOn).toEqual([{ ...on, effect: 'supersedes', rule }])
          expect(await statuses(old, allergy, agreeing.memoryId)).toEqual(['superseded', 'current', 'stale'])
          expect(await against(allergy)).toEqual([])
        },
      )

      test('what says the same as the event is not contradicted by it', async () => {
        const same = await say('skill:a', port('8080.'))
        const other = await say('skill:a', port(9090))
        const { bearsOn } = await tell('skill:b', port(8080), contradicts('skill:a'))
        expect(bearsOn).toEqual([
          { memoryId: other, contextId: 'skill:a', effect: 'supersedes', rule: 'text' },
        ])
        expect(await statuses(same, other)).toEqual(['current', 'superseded'])
      })

      test('not on the event itself, nor on what it names by id in another link, nor on what comes later', async () => {
        const old = await say('skill:a', port(8080))
        const other = await say('skill:a', port(9090), links(extending(old), contradicts('skill:a')))
        expect(await statuses(old, other)).toEqual(['current', 'current'])
        await say('skill:b', 'The heating is switched on', contradicts('skill:c'))
        expect(await statuses(await say('skill:c', "The heating isn't switched on"))).toEqual(['current'])
      })

      test('a contradiction that bore on none stands against the context until an earlier memory is stated again', async () => {
        const old = await say('skill:a', 'Deploys happen every Friday afternoon')
        const record = await say('skill:b', 'That is all wrong', contradicts('skill:a'))
        const later = await say('skill:a', 'Lunch is at noon')
        expect(await statuses(old)).toEqual(['current'])
        expect([await against(old), await against(later), await against(record)]).toEqual([[record], [], []])
        await bench.reopen()
        expect(await against(old)).toEqual([record])
        await say('skill:a', 'Deploys happen every Friday afternoon')
        expect(await against(old)).toEqual([])
        const again = await say('skill:b', 'Nothing of that is right', contradicts('skill:a'))
        expect(await against(later)).toEqual([again])
        await say('skill:b', 'Sorry, it is', contradicts(again))
        expect(await against(later)).toEqual([])
      })

      test('a contradiction that bore on none is shown with the memory that it is likeliest to mean alone', async () => {
        const old = await say('skill:a', 'Deploys happen every Friday afternoon')
        const later = await say('skill:a', 'Lunch is at noon')
        const { memoryId, bearsOn, unresolved } = await tell(
          'skill:b',
          'The deploys were changed',
          contradicts('skill:a'),
        )
        expect(bearsOn).toEqual([])
        expect(unresolved).toEqual([
          {
            path: '/contradicts/0',
            target: 'skill:a',
            candidates: [{ memoryId: old }, { memoryId: later }],
          },
        ])
        for await (const _ of bench.nowAndReopened())
          expect([await against(old), await against(later)]).toEqual([[memoryId], []])
        await erase(old)
        for await (const _ of bench.nowAndReopened()) expect(await against(later)).toEqual([memoryId])
      })

      test('a contradiction is not shown with what the same record means by another link', async () => {
        const dish = await say('skill:a', '', { payload: { dish: 'Risotto', price: 18 } })
        const other = await say('skill:a', 'It is served in a bowl')
        const by = await say('skill:b', '', {
          payload: { price: 19, served: 'on a plate' },
          ...links(reinforces(dish), contradicts('skill:a')),
        })
        expect([await against(dish), await against(other)]).toEqual([[], [by]])
      })

      test('one that was decided before such were told is shown with every memory of the context', async () => {
        const ids = [
          await say('skill:a', 'Deploys happen on Fridays'),
          await say('skill:a', 'Lunch is at noon'),
        ]
        const by = await say('skill:b', 'That is all wrong', contradicts('skill:a'))
        const before = (await exported(bench.store, 'g')).map(({ decisions = NOTHING_DECIDED, ...one }) => ({
          ...one,
          decisions: { ...decisions, unresolved: [] },
        }))
        await bench.store.importGraph('copy', inPages(before), at)
        for await (const store of bench.nowAndReopened()) {
          const found = await store.read('copy', async (graph) => graph.recordsAgainst(ids))
          expect(ids.map((id) => found.get(id)?.map(({ memoryId }) => memoryId))).toEqual([[by], [by]])
        }
      })
    })

    describe('T3: what a statement does', () => {
      test('events of one batch see what those before them did', async () => {
        const batch = [1, 2, 3].map((i) =>
          event('skill:a', `The current release is v${i}`, contradicts('skill:a')),
        )
        const receipts = await bench.store.append('g', batch, at)
        const [one, two, three] = receipts.map(({ memoryId }) => memoryId)
        expect(receipts.map(({ bearsOn }) => bearsOn.map(({ memoryId }) => memoryId))).toEqual([
          [],
          [one],
          [two],
        ])
        expect(await statuses(one ?? '', two ?? '', three ?? '')).toEqual([
          'superseded',
          'superseded',
          'current',
        ])
      })

      test('events that are recorded at once see each other', async () => {
        await Promise.all(
          Array.from({ length: 20 }, (_, i) =>
            tell('skill:a', `The current release is v${i}`, contradicts('skill:a')),
          ),
        )
        const { items } = await ask(bench.store, 'g').contextMemories('skill:a', { page: 0, pageSize: 50 })
        expect(items.filter(({ trust }) => trust.status === 'current')).toHaveLength(1)
        expect(items[0]?.trust.status).toBe('current')
      })
    })

    describe('T4: stale', () => {
      test('what extends or reinforces a superseded claim, directly or through others, until it is stated again', async () => {
        const base = await say('skill:a', 'We build on version one')
        const direct = await say('skill:b', 'Plugins use its hooks', extending(base))
        const indirect = await say('skill:c', 'The hooks are slow', extending(direct))
        const sibling = await say('skill:b', 'Lunch is at noon')
        await say('skill:a', 'We build on version two', by('user', contradicts(base)))
        expect(await statuses(base, direct, indirect, sibling)).toEqual([
          'superseded',
          'stale',
          'stale',
          'current',
        ])
        expect(await trustOf(direct)).toMatchObject({ confidence: 0.6 })
        await say('skill:b', 'Plugins use its hooks', by('system'))
        expect(await statuses(direct, indirect)).toEqual(['current', 'current'])
      })
    })

    describe('T5: erasure', () => {
      test('of one in the middle brings no error back: what opposed it opposes what it had opposed', async () => {
        const one = await say('skill:a', 'The current release is v1')
        const two = await say('skill:a', 'The current release is v2', contradicts(one))
        const three = await say('skill:a', 'The current release is v3', contradicts(two))
        await erase(two)
        for await (const _ of bench.nowAndReopened()) {
          expect(await statuses(one, three)).toEqual(['superseded', 'current'])
          expect(await trustOf(one)).toMatchObject({ supersededBy: [three] })
        }
        await bench.store.importGraph('copy', inPages(await exported(bench.store, 'g')), at)
        expect(await withoutPlaces(bench.store, 'copy')).toEqual(await withoutPlaces(bench.store, 'g'))
      })

      test('of a context is one request', async () => {
        const one = await say('skill:a', 'The current release is v1')
        const two = await say('skill:b', 'The current release is v2', contradicts(one))
        const three = await say('skill:b', 'The current release is v3', contradicts(two))
        const four = await say('skill:a', 'The current release is v4', contradicts(three))
        await bench.store.erase('g', { contextId: 'skill:b' }, CERTAIN)
        for await (const _ of bench.nowAndReopened())
          expect(await statuses(one, four)).toEqual(['superseded', 'current'])
      })

      test('of a memory that is only related to keeps what the other links do', async () => {
        const gone = await say('skill:a', 'Lunch is at noon')
        const old = await say('skill:b', port(80))
        const both: Link[] = [{ kind: 'related-to', target: gone }, ...contradicts('skill:b').links]
        await say('skill:c', port(81), { links: [both[1], both[0]].flatMap((link) => link ?? []) })
        await erase(gone)
        for await (const _ of bench.nowAndReopened()) expect(await statuses(old)).toEqual(['superseded'])
      })
    })

    test('T6: a restart and an import keep what was decided', async () => {
      const one = await say('skill:a', port(80))
      await say('skill:b', 'Plugins use it', extending('skill:a'))
      await say('skill:a', port(81), by('user', contradicts('skill:a')))
      await say('skill:a', port(80), by('agent'))
      await say('skill:b', 'That is all wrong', contradicts('skill:a'))
      await say('skill:c', port('81.'), by('system', reinforces('skill:a'), contradicts(one)))
      const before = await withoutPlaces(bench.store, 'g')
      const events = await exported(bench.store, 'g')
      expect(await withoutPlaces(await bench.reopen(), 'g')).toEqual(before)
      expect(await exported(bench.store, 'g')).toEqual(events)
      await bench.store.importGraph('copy', inPages(events), at)
      expect(await withoutPlaces(bench.store, 'copy')).toEqual(before)
      expect(await exported(bench.store, 'copy')).toEqual(events)
      const undecided = events.map((event) => ({ ...event, place: undefined, decisions: undefined }))
      await bench.store.importGraph('format-1', inPages(undecided), at)
      expect(await exported(bench.store, 'format-1')).toEqual(events)
    })

    test('gives memories in the order of the ids, without those that are not there', async () => {
      const ids = [await say('skill:a', 'one'), await say('skill:b', 'two')]
      const asked = [ids[1] ?? '', 'mem_00000000000000000000000000', ids[0] ?? '']
      const found = await bench.store.read('g', async (graph) => graph.memories(asked))
      expect(found.map(({ memoryId }) => memoryId)).toEqual([ids[1], ids[0]])
    })
  })
}
