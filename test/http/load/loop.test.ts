import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { Handlers } from '../../../src/contract/operations.js'
import { Loop } from '../../../src/http/load/loop.js'
import { openFeed } from '../../support/feed.js'
import { startTestServer } from '../../support/server.js'

/** How many of each key are under way, and how many there were at most. */
class Busy {
  readonly most = new Map<string, number>()
  readonly #now = new Map<string, number>()

  #count(key: string, change: number): void {
    const now = (this.#now.get(key) ?? 0) + change
    this.#now.set(key, now)
    this.most.set(key, Math.max(this.most.get(key) ?? 0, now))
  }

  async work(key: string, ms = 10): Promise<void> {
    this.#count(key, 1)
    await sleep(ms)
    this.#count(key, -1)
  }
}

test('long bodies of a key are parsed one after the other, those of another beside them', async () => {
  const [loop, busy] = [new Loop(), new Busy()]
  const parse = (key: string) => loop.parse(key, () => Promise.all([busy.work(key), busy.work('all')]))
  await Promise.all(['a', 'a', 'a', 'b', 'b'].map(parse))
  expect(busy.most).toEqual(
    new Map([
      ['a', 1],
      ['b', 1],
      ['all', 2],
    ]),
  )
})

describe('of one key at once', () => {
  const REQUESTS = 30
  const recordEvent =
    (busy: Busy): Handlers['recordEvent'] =>
    async ({ body }) => {
      // A busy machine takes a while to have many under way.
      await (body.dry_run === true ? busy.work('tried', 50) : busy.work('recorded', 500))
      const receipt = { event_id: 'mem_00000000000000000000000000', context_id: 'note:a', place: 1 } as const
      return { status: 201, body: { ...receipt, status: 'recorded', confidence: 0.6, bears_on: [] } }
    }

  test('eight events are tried, as with reads; recording shares its flushes, and is not held up', async () => {
    const busy = new Busy()
    const server = await startTestServer({ handlers: { recordEvent: recordEvent(busy) } })
    try {
      const event = { graph_id: 'g', event_kind: 'fact', context_id: 'note:a', payload: { text: 'one' } }
      const send = (more: object) =>
        Promise.all(
          Array.from({ length: REQUESTS }, () => server.call('/v1/events', { json: { ...event, ...more } })),
        )
      const answers = [...(await send({ dry_run: true })), ...(await send({}))]
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
      expect(busy.most.get('tried')).toBe(8)
      expect(busy.most.get('recorded')).toBeGreaterThan(8)
    } finally {
      await server.stop()
    }
  })

  test('E5: two erasures are under way, so that those of another key come between', async () => {
    const busy = new Busy()
    const deleteMemory: Handlers['deleteMemory'] = async ({ path }) => {
      await busy.work(path.graph_id, 20)
      const erased = { memories: 1, relationships: 0, contexts: 0, memory_ids: [path.memory_id] }
      return { status: 200, body: { ...erased, dry_run: false, graph_id: path.graph_id, key_id: 'root' } }
    }
    const server = await startTestServer({ handlers: { deleteMemory } })
    try {
      const keys = [await server.key({ scopes: ['write'] }), await server.key({ scopes: ['write'] })]
      const erase = ({ headers }: (typeof keys)[number], i: number) =>
        server.call(`/v1/memories/of-${i}/mem_00000000000000000000000000`, { method: 'DELETE', headers })
      await Promise.all(keys.flatMap((key, i) => Array.from({ length: 10 }, () => erase(key, i))))
      expect([...busy.most.entries()].sort()).toEqual([
        ['of-0', 2],
        ['of-1', 2],
      ])
    } finally {
      await server.stop()
    }
  })

  test('feeds that catch up take turns, so that another key is answered in between', async () => {
    const [feeds, pieces] = [20, 400]
    let made = 0
    const followGraph: Handlers['followGraph'] = async () => {
      const body = async function* () {
        for (let i = 0; i < pieces; i++) {
          made++
          yield `: ${i}\n\n`
        }
      }
      return { status: 200, body: body() }
    }
    const server = await startTestServer({ handlers: { followGraph } })
    try {
      const [{ secret }, other] = [
        await server.key({ scopes: ['read'] }),
        await server.key({ scopes: ['read'] }),
      ]
      const all = await Promise.all(
        Array.from({ length: feeds }, () => openFeed({ port: server.port, secret, graph: 'g' })),
      )
      const { status } = await server.call('/v1/graphs', { headers: other.headers })
      expect(status).toBe(200)
      expect(made).toBeLessThan(feeds * pieces)
      for (const feed of all) feed.kill()
    } finally {
      await server.stop()
    }
  })
})
