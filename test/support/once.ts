import { describe, expect, test } from 'vitest'
import type { Api } from './api.js'

/**
 * What an Idempotency-Key promises, for an operation that takes one. `bodyWith` makes a body that records one event in
 * the graph `once`, with the fields of the event that are given.
 */
export function describeOnce(
  api: Api,
  operation: 'recordEvent' | 'recordEvents',
  bodyWith: (change: object) => object,
): void {
  const once = (key: string, change: object = {}, headers: Record<string, string> = {}) =>
    api.call(operation, { body: bodyWith(change), headers: { 'Idempotency-Key': key, ...headers } })
  const timesSeen = async (answer: { readonly text: string }) => {
    const [memory_id = ''] = /mem_\w+/.exec(answer.text) ?? []
    return (await api.ok('getMemory', { path: { graph_id: 'once', memory_id } })).body.times_seen
  }

  describe('201 with an Idempotency-Key', () => {
    test('B14: the same key and body get the same bytes and record one event, also after a restart', async () => {
      const first = await once('a')
      expect(first.status, first.text).toBe(201)
      await api.server.restart()
      for (let i = 0; i < 3; i++) {
        const again = await once('a')
        expect([again.status, again.text]).toEqual([201, first.text])
      }
      expect(await timesSeen(first)).toBe(1)
    })

    test('B14: the body may be spelt in another order', async () => {
      const change = { payload: { a: 1, b: [{ c: 1, d: 2 }] } }
      const first = await once('spelling', change)
      const again = await once('spelling', { payload: { b: [{ d: 2, c: 1 }], a: 1 } })
      expect([again.status, again.text]).toEqual([201, first.text])
    })

    test('B14: the key counts for one caller, one graph and one operation', async () => {
      const first = await once('mine', { payload: { text: 'whose' } })
      const other = await api.server.key({ scopes: ['write'] })
      const theirs = await once('mine', { payload: { text: 'whose' } }, other.headers)
      expect(theirs.text).toContain('"duplicate"')
      expect(await timesSeen(first)).toBe(2)
    })
  })

  describe('400 for an Idempotency-Key', () => {
    test('B14: one that is empty, too long, or not of visible ASCII', async () => {
      for (const key of ['', 'x'.repeat(256), 'a b', 'caf\u00e9']) {
        const { status, body } = await once(key)
        expect([status, body]).toMatchObject([
          400,
          { errors: [{ path: '/headers/idempotency-key', message: expect.stringMatching(/^must /) }] },
        ])
      }
      for (const key of ['x'.repeat(255), '!~', '6f1c1f0e-0c0b-4f6e-9d7a-3f6f3b7f1a52'])
        expect((await once(key, { payload: { text: key } })).status).toBe(201)
    })
  })

  describe('409 Conflict', () => {
    test('B14: fifty at once are one event; each gets the answer, or 409 with Retry-After while the first runs', async () => {
      let running = 0
      for (let round = 0; round < 20 && running === 0; round++) {
        const key = `at_once_${round}`
        const change = { payload: { text: key } }
        const answers = await Promise.all(Array.from({ length: 50 }, () => once(key, change)))
        const last = await once(key, change)
        expect(last.status).toBe(201)
        for (const answer of answers) {
          if (answer.status === 409) {
            expect(answer.body).toMatchObject({ code: 'still_running' })
            expect(answer.headers['retry-after']).toBe('1')
            running++
          } else expect([answer.status, answer.text]).toEqual([201, last.text])
        }
        expect(await timesSeen(last)).toBe(1)
      }
      expect(running).toBeGreaterThan(0)
    })
  })

  describe('422 for an Idempotency-Key', () => {
    test('B14: the same key with another body, and nothing is recorded', async () => {
      const first = await once('other', { payload: { text: 'other' } })
      for (const change of [{ payload: { text: 'else' } }, { payload: { text: 'other' }, source: 'user' }]) {
        const { status, body } = await once('other', change)
        expect([status, body]).toMatchObject([422, { code: 'idempotency_key_reused' }])
      }
      expect(await timesSeen(first)).toBe(1)
      const words = { graph_id: 'once', context_type: 'fact', name: 'general' }
      expect((await api.ok('getContext', { path: words })).text).not.toContain('else')
    })
  })
}
