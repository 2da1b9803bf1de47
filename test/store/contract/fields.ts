import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { JsonObject, Memory, NewMemory, Receipt } from '../../../src/domain/model.js'
import { encodeExport } from '../../../src/domain/transfer/encode.js'
import {
  ask,
  at,
  contradicts,
  event,
  exported,
  inPages,
  type OpenBench,
  record,
  withoutPlaces,
} from '../support.js'
import { useStore } from './bench.js'

const CERTAIN = { dryRun: false }
const MENU = 'menu:risotto'
const RISOTTO = { dish: 'Risotto', allergens: ['milk'], price: 18 }
const REST = 'We use REST because clients in every language are simple to write'
const GRPC = 'We move to gRPC because payloads have grown too large'
const ofField = (target: string, field: string): Pick<NewMemory, 'links'> => ({
  links: [{ kind: 'contradiction', target, field }],
})

/** A context may be contradicted in a field of a memory, and the rest of that memory stands. */
export function fieldsContract(open: OpenBench): void {
  describe('trust, field by field', () => {
    const bench = useStore(open)
    const tell = (payload: JsonObject, more: Partial<NewMemory> = {}): Promise<Receipt> =>
      record(bench.store, 'g', event(MENU, '', { payload, ...more }))
    const say = async (payload: JsonObject, more: Partial<NewMemory> = {}) =>
      (await tell(payload, more)).memoryId
    const priced = (price: number, more: Partial<NewMemory> = {}) =>
      say({ price }, { ...contradicts(MENU), ...more })
    const memory = (id: string): Promise<Memory> => ask(bench.store, 'g').memory(id)
    const erase = (memoryId: string) => bench.store.erase('g', { memoryId }, CERTAIN)

    test('a contradiction replaces the field that differs, and what it says now is shown', async () => {
      const old = await say(RISOTTO)
      const { memoryId: by, bearsOn, unresolved } = await tell({ price: 21 }, contradicts(MENU))
      expect(unresolved).toBeUndefined()
      expect(bearsOn).toEqual([
        {
          memoryId: old,
          contextId: MENU,
          effect: 'supersedes',
          rule: 'fields',
          fields: ['price'],
          standing: ['dish', 'allergens'],
        },
      ])
      for await (const _ of bench.nowAndReopened()) {
        const shown = await memory(old)
        expect(shown).toMatchObject({
          payload: RISOTTO,
          trust: {
            status: 'current',
            confidence: 0.6,
            supersededBy: [],
            replaced: [{ field: 'price', by, value: 21 }],
          },
        })
        expect(shown.text).toContain('21')
        expect(shown.text).not.toContain('18')
        expect(shown.text).toContain('Risotto')
        const { trust } = await memory(by)
        expect(trust).toMatchObject({ status: 'current', supersedes: [] })
        expect(trust).not.toHaveProperty('replaced')
      }
    })

    test('a pointer replaces the field that it names, whatever the name, and a whole is superseded with its last', async () => {
      const payload = { 'a/b ~ c': 1, 'Unit Price': 2 }
      const old = await say(payload)
      const first = await tell({ 'a/b ~ c': 3 }, ofField(old, 'a/b ~ c'))
      const on = { memoryId: old, contextId: MENU, effect: 'supersedes', rule: 'field' }
      expect(first.bearsOn).toEqual([{ ...on, fields: ['a/b ~ c'], standing: ['Unit Price'] }])
      const second = await tell({ unit_price: 4 }, ofField(old, 'Unit Price'))
      expect(second.bearsOn).toEqual([on])
      for await (const _ of bench.nowAndReopened()) {
        expect((await memory(old)).trust).toMatchObject({
          status: 'superseded',
          supersededBy: [first.memoryId, second.memoryId],
        })
        expect((await memory(second.memoryId)).trust).toMatchObject({ supersedes: [old] })
      }
      await bench.store.importGraph('copy', inPages(await exported(bench.store, 'g')), at)
      expect(await withoutPlaces(bench.store, 'copy')).toEqual(await withoutPlaces(bench.store, 'g'))
    })

    test('a field that is not there is refused, and what names a memory that is not there as well', async () => {
      const old = await say(RISOTTO)
      for (const [target, code] of [
        [old, 'invalid_event'],
        ['mem_00000000000000000000000000', 'unknown_memory'],
      ] as const)
        await expect(tell({ price: 3 }, ofField(target, 'colour'))).rejects.toMatchObject({ code })
      expect(await exported(bench.store, 'g')).toHaveLength(1)
    })

    test('a receipt says by which rule an effect came about, whatever other link names the memory', async () => {
      const old = await say({ price: 18 })
      const extending = { kind: 'extension' as const, target: old }
      const { bearsOn } = await tell({ price: 21 }, { links: [extending, ...ofField(old, 'price').links] })
      expect(bearsOn).toMatchObject([
        { memoryId: old, effect: 'supersedes', rule: 'field' },
        { memoryId: old, effect: 'extends', rule: 'memory' },
      ])
    })

    test.each<[string, (old: string, by: string) => NewMemory['links'][]]>([
      [
        'names two of a chain',
        (old, by) => [[...ofField(old, 'price').links, ...ofField(by, 'price').links]],
      ],
      [
        'builds on what stands and contradicts its context',
        (_, by) => [[{ kind: 'extension', target: by }, ...contradicts(MENU).links]],
      ],
      [
        'builds on what stands and contradicts what that replaced',
        (old, by) => [[{ kind: 'extension', target: by }, ...ofField(old, 'price').links]],
      ],
      ['says the same again', (old) => [ofField(old, 'price').links, ofField(old, 'price').links]],
    ])('what %s can be exported and imported', async (what, linksOf) => {
      const old = await say(RISOTTO)
      const by = await say({ price: 21 }, ofField(old, 'price'))
      const isRepeat = what === 'says the same again'
      const payload = isRepeat ? { text: 'Nobody knows what it costs' } : { price: 24 }
      for (const links of linksOf(old, by)) await say(payload, { links })
      await bench.store.importGraph('copy', inPages(await exported(bench.store, 'g')), at)
      expect(await withoutPlaces(bench.store, 'copy')).toEqual(await withoutPlaces(bench.store, 'g'))
    })

    describe('erasure', () => {
      test.each([{}, { phone: 5 }])(
        'of one in the middle brings no record of one field back, whatever the words: %j',
        async (more) => {
          const old = await say({ decision: REST })
          const middle = await say({ decision: GRPC }, ofField(old, 'decision'))
          const last = await say(
            { decision: 'It all goes over a queue', ...more },
            ofField(middle, 'decision'),
          )
          await erase(middle)
          for await (const _ of bench.nowAndReopened())
            expect((await memory(old)).trust).toMatchObject({ status: 'superseded', supersededBy: [last] })
        },
      )

      test('passes on only the field that was replaced', async () => {
        const old = await say({ price: 18, opening: 'Monday' })
        const middle = await say({ price: 21, phone: 5 }, ofField(old, 'price'))
        const last = await say({ phone: 6 }, ofField(middle, 'phone'))
        await erase(middle)
        for await (const _ of bench.nowAndReopened()) {
          expect(await memory(old)).toMatchObject({ text: expect.stringContaining('18') })
          expect((await memory(old)).trust).not.toHaveProperty('replaced')
          expect((await memory(last)).trust).toMatchObject({ status: 'current', supersedes: [] })
        }
      })

      test('leaves nothing of the erased in what was decided, nor in kept answers', async () => {
        const secret = { zanzibar: 'quokka', 'Wombat-Colour': 7 }
        const gone = await say(secret)
        const other = await say({ dish: 'Pasta', price: 9 })
        const once = { key: 'a'.repeat(64), body: 'b'.repeat(64) }
        const unsure = { key: 'c'.repeat(64), body: once.body }
        const replacing = event(MENU, '', {
          payload: { wombatcolour: 8 },
          ...ofField(gone, 'Wombat-Colour'),
        })
        const asking = event('note:a', 'Some of that is wrong', contradicts(MENU))
        const [first] = await bench.store.append('g', [replacing], at, once)
        const [second] = await bench.store.append('g', [asking], at, unsure)
        expect(first?.bearsOn).toMatchObject([{ memoryId: gone, fields: ['Wombat-Colour'] }])
        expect(second?.unresolved?.[0]?.candidates.map(({ memoryId }) => memoryId)).toContain(gone)
        await erase(gone)
        for await (const store of bench.nowAndReopened()) {
          const answers = [
            ...(await store.append('g', [replacing], at, once)),
            ...(await store.append('g', [asking], at, unsure)),
          ]
          expect(answers).toMatchObject([
            { memoryId: first?.memoryId, bearsOn: [] },
            { memoryId: second?.memoryId, unresolved: [{ target: MENU }] },
          ])
          expect(JSON.stringify(answers)).toContain(other)
          const left = JSON.stringify([answers, await exported(store, 'g'), await withoutPlaces(store, 'g')])
          for (const part of [gone, 'zanzibar', 'quokka', 'Wombat-Colour']) expect(left).not.toContain(part)
        }
      })
    })

    test('what was replaced, disputed and given back is the same after an export and an import', async () => {
      const old = await say(RISOTTO)
      await priced(21, { source: 'user' })
      await say({ allergens: ['milk', 'celery'] }, ofField(old, 'allergens'))
      await priced(22)
      await say(RISOTTO, { recordedBy: 'key_1' })
      await say({ text: 'All of that is out of date' }, contradicts(MENU))
      await say(RISOTTO, { source: 'validator' })
      await erase(await priced(30, { source: 'validator' }))
      const events = await exported(bench.store, 'g')
      await bench.store.importGraph('copy', inPages(events), at)
      for await (const store of bench.nowAndReopened()) {
        expect(await withoutPlaces(store, 'copy')).toEqual(await withoutPlaces(store, 'g'))
        expect(await exported(store, 'copy')).toEqual(events)
      }
      const next = event(MENU, '', { payload: { price: 31 }, source: 'validator', ...contradicts(MENU) })
      const receipts = [await record(bench.store, 'g', next), await record(bench.store, 'copy', next)]
      const { memoryId, place } = receipts[1] ?? {}
      expect(receipts[1]).toEqual({ ...receipts[0], memoryId, place })
      const text: string[] = []
      const graph = { graphId: 'g', exportedAt: '', events: inPages(events) }
      for await (const some of encodeExport(graph, createHash('sha256'))) text.push(some)
      expect(text.join('')).toContain(`"contradicts":["${old}#/allergens"]`)
      expect((await ask(bench.store, 'copy').memory(old)).trust).toEqual((await memory(old)).trust)
    })
  })
}
