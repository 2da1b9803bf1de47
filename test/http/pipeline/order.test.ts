import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contradictions, type History, playAtOnce } from '../../support/order.js'
import { startTestServer, type TestServer } from '../../support/server.js'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

describe('A7: clients at once see one order', () => {
  test.each([1, 2, 3])('8 clients on 3 names, seed %i', async (seed) => {
    const { url, secret } = server
    const history = await playAtOnce({
      url,
      secret,
      graph: `order-${seed}`,
      clients: 8,
      operations: 20,
      seed,
    })
    expect(contradictions(history)).toEqual([])
    expect(history.writes.length + history.reads.length).toBe(160)
  })

  const write = (text: string, began: number, ended: number) => ({
    context: 'a',
    text,
    id: text,
    began,
    ended,
  })
  const read = (total: number, newest: string[], began: number, ended: number) => ({
    context: 'a',
    total,
    newest,
    began,
    ended,
  })
  const list = (...texts: string[]) => new Map([['a', texts.map((text) => ({ id: text, text }))]])
  const good: History = {
    writes: [write('1', 0, 2), write('2', 1, 3), write('3', 4, 5)],
    reads: [read(1, ['1'], 1, 2), read(2, ['2', '1'], 3.5, 3.9), read(3, ['3', '2', '1'], 4.5, 6)],
    final: list('1', '2', '3'),
  }

  test('the check has nothing against a good one', () => expect(contradictions(good)).toEqual([]))

  test.each<[string, Partial<History>, string]>([
    ['an event that was lost', { final: list('1', '2') }, '"3" is not there'],
    ['an event that is there twice', { final: list('1', '2', '3', '3') }, 'twice'],
    ['ids in another order', { final: list('2', '1', '3') }, 'ids are in another order'],
    ['writes out of order', { writes: [write('1', 4, 5), write('2', 1, 3)] }, '2 was over before 1 began'],
    [
      'a read that goes back',
      { reads: [read(2, ['2', '1'], 1, 2.5), read(1, ['1'], 2.6, 2.8)] },
      'a read of 2 was over before a read of 1 began',
    ],
    ['a read that misses what was acknowledged', { reads: [read(1, ['1'], 3.5, 3.9)] }, '2 was over before'],
    ['a read of what was not sent', { reads: [read(3, ['3', '2', '1'], 3.5, 3.9)] }, 'a read of 3 was over'],
    ['a page of another order', { reads: [read(2, ['1', '2'], 3.5, 3.9)] }, 'a page is of another order'],
  ])('the check sees %s', (_name, change, words) => {
    expect(contradictions({ ...good, ...change })).toContainEqual(expect.stringContaining(words))
  })
})
