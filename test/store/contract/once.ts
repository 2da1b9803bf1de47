import { describe, expect, test } from 'vitest'
import { IDEMPOTENCY_HOURS } from '../../../src/graph/records.js'
import { ask, at, event, FIRST, type OpenBench, record } from '../support.js'
import { useStore } from './bench.js'

const NOON = '2025-01-01T12:00:00.000Z'
const hoursLater = (hours: number) => new Date(Date.parse(NOON) + hours * 3_600_000).toISOString()
const once = { key: 'a'.repeat(64), body: 'b'.repeat(64) }
const otherBody = { ...once, body: 'c'.repeat(64) }

export function onceContract(open: OpenBench): void {
  describe('append, once', () => {
    const bench = useStore(open)

    test('B14: the same key and body get the same receipts and record nothing', async () => {
      const events = [event('skill:a', 'one'), event('skill:a', 'two')]
      const first = await bench.store.append('g', events, at, once)
      await record(bench.store, 'g', event('skill:a', 'one'))
      expect(await bench.store.append('g', events, at, once)).toEqual(first)
      expect((await ask(bench.store, 'g').contextMemories('skill:a', FIRST)).items).toMatchObject([
        { text: 'two', timesSeen: 1 },
        { text: 'one', timesSeen: 2 },
      ])
    })

    test('B14: another body is refused, and records nothing', async () => {
      await bench.store.append('g', [event('skill:a', 'one')], at, once)
      const refused = bench.store.append('g', [event('skill:a', 'two')], at, otherBody)
      await expect(refused).rejects.toMatchObject({ code: 'idempotency_key_reused' })
      expect(await ask(bench.store, 'g').context('skill:a')).toMatchObject({ memoryCount: 1 })
    })

    test('B14: fifty at once record one event; each gets its receipt or hears that it is still running', async () => {
      const events = [event('skill:a', 'one')]
      const answers = await Promise.allSettled(
        Array.from({ length: 50 }, () => bench.store.append('g', events, at, once)),
      )
      const receipts = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
      expect(receipts.length).toBeGreaterThan(0)
      for (const receipt of receipts) expect(receipt).toEqual(receipts[0])
      for (const answer of answers)
        if (answer.status === 'rejected') expect(answer.reason).toMatchObject({ code: 'still_running' })
      expect(await bench.store.append('g', events, at, once)).toEqual(receipts[0])
      expect((await ask(bench.store, 'g').contextMemories('skill:a', FIRST)).items).toMatchObject([
        { timesSeen: 1 },
      ])
    })

    test('B14: the receipts are there after a restart, word for word, whatever was recorded since', async () => {
      await record(bench.store, 'g', event('skill:a', 'one', { recordedBy: 'key_1' }))
      const events = [event('skill:a', 'one'), event('skill:b', 'two', { source: 'user' })]
      const first = await bench.store.append('g', events, at, once)
      expect(first).toMatchObject([
        { status: 'duplicate', confidence: 0.65 },
        { status: 'recorded', confidence: 0.7 },
      ])
      const disagreeing = event('skill:c', 'no', { links: [{ kind: 'contradiction', target: 'skill:a' }] })
      await bench.store.append('g', [event('skill:b', 'two'), disagreeing], at)
      const store = await bench.reopen()
      expect(await store.append('g', events, at, once)).toEqual(first)
      await expect(store.append('g', events, at, otherBody)).rejects.toMatchObject({
        code: 'idempotency_key_reused',
      })
      expect((await ask(store, 'g').contextMemories('skill:a', FIRST)).items).toMatchObject([
        { timesSeen: 2 },
      ])
    })

    test('B14: a key is free again when its hours are over, and not before', async () => {
      bench.clock.set(NOON)
      await bench.store.append('g', [event('skill:a', 'one')], at, once)
      bench.clock.set(hoursLater(IDEMPOTENCY_HOURS - 0.1))
      await expect(bench.store.append('g', [event('skill:a', 'two')], at, otherBody)).rejects.toMatchObject({
        code: 'idempotency_key_reused',
      })
      bench.clock.set(hoursLater(IDEMPOTENCY_HOURS + 0.1))
      const [receipt] = await bench.store.append('g', [event('skill:a', 'two')], at, otherBody)
      expect(receipt).toMatchObject({ status: 'recorded' })
      const store = await bench.reopen()
      expect(await store.append('g', [event('skill:a', 'two')], at, otherBody)).toEqual([receipt])
    })

    test('B14: what is refused is not kept', async () => {
      const links = [{ kind: 'extension', target: 'mem_00000000000000000000000000' }] as const
      const refused = bench.store.append('g', [event('skill:a', 'one', { links })], at, once)
      await expect(refused).rejects.toMatchObject({ code: 'unknown_memory' })
      const [receipt] = await bench.store.append('g', [event('skill:a', 'two')], at, otherBody)
      expect(receipt).toMatchObject({ status: 'recorded' })
    })

    test('B14: a key belongs to its graph', async () => {
      await bench.store.append('one', [event('skill:a', 'x')], at, once)
      const [receipt] = await bench.store.append('two', [event('skill:a', 'y')], at, otherBody)
      expect(receipt).toMatchObject({ status: 'recorded' })
    })
  })
}
