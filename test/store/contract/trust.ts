import { describe, expect, test } from 'vitest'
import type { NewMemory, Source } from '../../../src/domain/model.js'
import { ask, contradicts, event, extending, type OpenBench, record, reinforces } from '../support.js'
import { useStore } from './bench.js'

export function trustContract(open: OpenBench): void {
  describe('trust', () => {
    const bench = useStore(open)
    const say = async (contextId: string, text: string, more: Partial<NewMemory> = {}) =>
      (await record(bench.store, 'g', event(contextId, text, more))).memoryId
    const trustOf = async (memoryId: string) => (await ask(bench.store, 'g').memory(memoryId)).trust

    test('starts from the source', async () => {
      const priors: [Source, number][] = [
        ['validator', 0.9],
        ['executor', 0.8],
        ['user', 0.7],
        ['agent', 0.6],
        ['system', 0.5],
      ]
      for (const [source, confidence] of priors)
        expect(await trustOf(await say('skill:a', source, { source }))).toEqual({
          confidence,
          status: 'current',
          supersededBy: [],
          disputedBy: [],
          agreement: 0,
        })
    })

    test('rises with each later memory that reinforces the context or the memory, at most four times', async () => {
      const first = await say('skill:a', 'x')
      await say('skill:b', '1', reinforces('skill:a'))
      expect(await trustOf(first)).toMatchObject({ confidence: 0.65, agreement: 1 })
      await say('skill:b', '2', reinforces(first))
      expect(await trustOf(first)).toMatchObject({ confidence: 0.7, agreement: 2 })
      for (const text of ['3', '4', '5', '6']) await say('skill:b', text, reinforces('skill:a'))
      expect(await trustOf(first)).toMatchObject({ confidence: 0.8, agreement: 6 })
    })

    test('counts a memory that reinforces both the memory and its context once', async () => {
      const first = await say('skill:a', 'x')
      await say('skill:b', '1', reinforces('skill:a', first))
      expect(await trustOf(first)).toMatchObject({ agreement: 1 })
    })

    test('is not raised by what was recorded before it, nor by itself', async () => {
      await say('skill:b', '1', reinforces('skill:a'))
      expect(await trustOf(await say('skill:a', 'x', reinforces('skill:a')))).toMatchObject({
        confidence: 0.6,
        agreement: 0,
      })
    })

    test('never exceeds 0.99 nor falls below 0.2', async () => {
      const high = await say('skill:a', 'x', { source: 'validator' })
      for (const text of ['1', '2', '3', '4']) await say('skill:b', text, reinforces('skill:a'))
      expect(await trustOf(high)).toMatchObject({ confidence: 0.99 })
      const low = await say('skill:c', 'y', { source: 'system' })
      for (const text of ['1', '2', '3', '4', '5']) await say('skill:d', text, contradicts(low))
      expect(await trustOf(low)).toMatchObject({ confidence: 0.2 })
    })

    test('superseded: a later contradiction whose source weighs at least as much', async () => {
      const old = await say('skill:a', 'the port is 80')
      const replacement = await say('skill:a', 'the port is 81', contradicts(old))
      expect(await trustOf(old)).toEqual({
        confidence: 0.5,
        status: 'superseded',
        supersededBy: [replacement],
        disputedBy: [],
        agreement: 0,
      })
      expect(await trustOf(replacement)).toMatchObject({ status: 'current', confidence: 0.6 })
    })

    test('open contradiction: a later contradiction whose source weighs less', async () => {
      const old = await say('skill:a', 'the port is 80', { source: 'validator' })
      const doubt = await say('skill:a', 'the port is 81', contradicts(old))
      expect(await trustOf(old)).toMatchObject({
        confidence: 0.8,
        status: 'current',
        supersededBy: [],
        disputedBy: [doubt],
      })
    })

    test('weighs a contradiction against the confidence before it', async () => {
      const old = await say('skill:a', 'x')
      await say('skill:b', 'yes', reinforces(old))
      const first = await say('skill:b', 'no', contradicts(old))
      const second = await say('skill:b', 'no again', contradicts(old))
      expect(await trustOf(old)).toMatchObject({
        supersededBy: [second],
        disputedBy: [first],
        confidence: 0.45,
      })
    })

    test('a contradiction that is contradicted in its turn settles nothing', async () => {
      const old = await say('skill:a', 'the port is 80')
      const wrong = await say('skill:a', 'the port is 81', contradicts(old))
      await say('skill:a', 'no, 81 is a typing error', contradicts(wrong))
      expect(await trustOf(old)).toMatchObject({ status: 'current', disputedBy: [wrong], supersededBy: [] })
      expect(await trustOf(wrong)).toMatchObject({ status: 'superseded' })
    })

    test('a contradiction of a context bears on what speaks of the same thing, and always on the closest', async () => {
      const port = await say('skill:a', 'the server listens on port eighty')
      const other = await say('skill:a', 'deployments happen every friday afternoon')
      await say('skill:b', 'the server listens on port ninety', contradicts('skill:a'))
      expect(await trustOf(port)).toMatchObject({ status: 'superseded' })
      expect(await trustOf(other)).toMatchObject({ status: 'current', confidence: 0.6 })
      const lone = await say('skill:c', 'alpha beta gamma')
      await say('skill:d', 'unrelated words entirely', contradicts('skill:c'))
      expect(await trustOf(lone)).toMatchObject({ status: 'superseded' })
    })

    test('a contradiction of a context does not bear on what is recorded later', async () => {
      await say('skill:b', 'the port is not 80', contradicts('skill:a'))
      expect(await trustOf(await say('skill:a', 'the port is 80'))).toMatchObject({
        status: 'current',
        confidence: 0.6,
      })
    })

    test('a memory does not contradict itself', async () => {
      expect(await trustOf(await say('skill:a', 'x', contradicts('skill:a')))).toMatchObject({
        status: 'current',
        confidence: 0.6,
      })
    })

    test('stale: what extends, directly or through others, a context that lost a memory afterwards', async () => {
      const base = await say('skill:a', 'version one')
      const direct = await say('skill:b', 'built on version one', extending('skill:a'))
      const indirect = await say('skill:c', 'built on that', extending('skill:b'))
      await say('skill:a', 'version two', contradicts(base))
      const later = await say('skill:b', 'built on version two')
      expect(await trustOf(direct)).toMatchObject({ status: 'stale', confidence: 0.6 })
      expect(await trustOf(indirect)).toMatchObject({ status: 'stale' })
      expect(await trustOf(later)).toMatchObject({ status: 'current' })
    })

    test('copes with contexts that extend each other', async () => {
      const a = await say('skill:a', 'x', extending('skill:b'))
      const b = await say('skill:b', 'y', extending('skill:a'))
      await say('skill:c', 'no', contradicts(a))
      expect(await trustOf(b)).toMatchObject({ status: 'stale' })
      expect(await trustOf(a)).toMatchObject({ status: 'superseded' })
    })
  })
}
