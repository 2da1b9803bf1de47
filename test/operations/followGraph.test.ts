import { afterEach, describe, expect, test } from 'vitest'
import { useApi } from '../support/api.js'
import { type Feed, openFeed } from '../support/feed.js'
import { eventLines } from '../support/ndjson.js'
import { describeRefusals } from '../support/refusals.js'

const api = useApi(
  async (it) => {
    await it.record({ payload: { text: 'first' } })
    await it.record({ payload: { text: 'second' } })
  },
  { heartbeatMs: 200 },
)

const open: Feed[] = []
afterEach(() => {
  for (const feed of open.splice(0)) feed.kill()
})

async function follow(graph: string, query = '', headers: Record<string, string> = {}, secret?: string) {
  const { port, secret: root } = api.server
  const feed = await openFeed({ port, secret: secret ?? root, graph, query, headers })
  open.push(feed)
  return feed
}

let made = 0
/** A graph of its own with so many statements. */
async function graphOf(statements: number): Promise<{ graph: string; ids: string[] }> {
  const graph = `g${made++}`
  const ids: string[] = []
  for (let i = 0; i < statements; i++)
    ids.push(await api.record({ graph_id: graph, payload: { text: `statement ${i}` } }))
  return { graph, ids }
}

describe('200: what was recorded, and what is', () => {
  test('the statements there are, each with the line that an export has of it', async () => {
    const feed = await follow('demo')
    expect(feed.status).toBe(200)
    expect(feed.headers['content-type']).toBe('text/event-stream; charset=utf-8')
    expect(feed.headers['etag']).toBeUndefined()
    const events = await feed.until(2)
    const { text } = await api.ok('exportGraph', { path: { graph_id: 'demo' } })
    expect(events).toEqual(
      eventLines(text).map((data, i) => ({ event: 'statement', id: String(i + 1), data })),
    )
  })

  test('what is recorded comes at once, single, in batches and again', async () => {
    const { graph, ids } = await graphOf(1)
    const feed = await follow(graph)
    await feed.until(1)
    await api.record({ graph_id: graph, payload: { text: 'later' } })
    const batch = [0, 1, 2].map((i) => ({ event_kind: 'fact', payload: { text: `batch ${i}` } }))
    await api.ok('recordEvents', { body: { graph_id: graph, events: batch } }, 201)
    const again = { graph_id: graph, event_kind: 'fact', payload: { text: 'statement 0' } }
    await api.ok('recordEvent', { body: again })
    const events = await feed.until(6)
    expect(feed.places).toEqual([1, 2, 3, 4, 5, 6])
    expect(JSON.parse(events[5]?.data ?? '')).toMatchObject({ memory_id: ids[0], times_seen: 2, place: 6 })
  })

  test('after a place, by the query or by Last-Event-ID, which counts more', async () => {
    const { graph } = await graphOf(4)
    const resumed = [
      await follow(graph, '?after=2'),
      await follow(graph, '', { 'Last-Event-ID': '2' }),
      await follow(graph, '?after=0', { 'Last-Event-ID': '2' }),
    ]
    const atTheEnd = await follow(graph, '?after=4')
    for (const feed of resumed) {
      await feed.until(2)
      expect(feed.places).toEqual([3, 4])
    }
    await api.record({ graph_id: graph, payload: { text: 'more' } })
    await atTheEnd.until(1)
    expect(atTheEnd.places).toEqual([5])
  })

  test('what is erased is told by place and id, without an id to resume at, and nothing of what it said', async () => {
    const { graph, ids } = await graphOf(3)
    await api.ok('recordEvent', {
      body: { graph_id: graph, event_kind: 'fact', payload: { text: 'statement 1' } },
    })
    const feed = await follow(graph)
    await feed.until(4)
    await api.ok('deleteMemory', { path: { graph_id: graph, memory_id: ids[1] ?? '' } })
    await api.record({ graph_id: graph, payload: { text: 'afterwards' } })
    const events = await feed.until(7)
    expect(events.slice(4, 6)).toEqual(
      [2, 4].map((place) => ({
        event: 'erased',
        id: undefined,
        data: JSON.stringify({ place, memory_id: ids[1] }),
      })),
    )
    expect(feed.places).toEqual([1, 2, 3, 4, 5])
    const anew = await follow(graph)
    await anew.until(3)
    expect(anew.places).toEqual([1, 3, 5])
  })

  test('a comment when nothing happens', async () => {
    const { graph } = await graphOf(1)
    const feed = await follow(graph, '?after=1')
    await expect
      .poll(() => feed.events, { timeout: 30_000 })
      .toContainEqual({ event: '', id: undefined, data: '' })
  })

  test('it ends when the graph is deleted', async () => {
    const { graph } = await graphOf(1)
    const feed = await follow(graph)
    await feed.until(1)
    await api.ok('deleteGraph', { path: { graph_id: graph } })
    await feed.ended
    await api.refused('followGraph', { path: { graph_id: graph } }, 404, 'graph_not_found')
  })

  test('it ends when the key is revoked, and nothing more is told', async () => {
    const { graph } = await graphOf(1)
    const { key_id, secret } = await api.server.key({ scopes: ['read'] })
    const feed = await follow(graph, '', {}, secret)
    await feed.until(1)
    await api.ok('revokeKey', { path: { key_id } }, 204)
    await feed.ended
    expect(feed.places).toEqual([1])
  })

  test('which key recorded it is told to those who hold admin alone', async () => {
    const { graph } = await graphOf(1)
    const { secret } = await api.server.key({ scopes: ['read'] })
    const [event] = await (await follow(graph)).until(1)
    expect(JSON.parse(event?.data ?? '')).toMatchObject({ recorded_by: 'root' })
    const [shown] = await (await follow(graph, '', {}, secret)).until(1)
    expect(shown?.data).not.toContain('recorded_by')
  })

  test('HEAD has the headers alone, and nothing follows', async () => {
    const response = await api.server.fetch('/v1/graphs/demo/feed', { method: 'HEAD' })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(await response.text()).toBe('')
  })

  test('it is not compressed', async () => {
    const feed = await follow('demo', '', { 'Accept-Encoding': 'gzip, br' })
    expect(feed.headers['content-encoding']).toBeUndefined()
    await feed.until(2)
  })
})

describe('400 Bad Request', () => {
  test('places that are none, by the field', async () => {
    for (const last of ['-1', 'x', '01', '12345678901234567']) {
      const { body } = await api.refused(
        'followGraph',
        { path: { graph_id: 'demo' }, headers: { 'Last-Event-ID': last } },
        400,
        'invalid_request',
      )
      expect(body.errors?.[0]?.path.toLowerCase()).toBe('/headers/last-event-id')
    }
  })

  test('unknown_place: a place that the graph has not reached', async () => {
    const { body } = await api.refused(
      'followGraph',
      { path: { graph_id: 'demo' }, query: { after: 3 } },
      400,
      'unknown_place',
    )
    expect(body.errors).toEqual([{ path: '/query/after', message: expect.stringContaining('at most 2') }])
    await api.refused(
      'followGraph',
      { path: { graph_id: 'demo' }, headers: { 'Last-Event-ID': '9007199254740991' } },
      400,
      'unknown_place',
    )
  })
})

describeRefusals(api, 'followGraph', () => ({ path: { graph_id: 'demo' } }))
