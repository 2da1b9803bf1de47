import { describe, expect, test } from 'vitest'
import { type EventParts, MOMENT, useApi } from '../support/api.js'
import { describeRefusals } from '../support/refusals.js'
import { PROTOTYPE_NAMES } from '../support/words.js'

let plain = ''

const api = useApi(async (it) => {
  plain = await it.record({ payload: { data: 'The sky is blue', since: 1987 } })
})

const get = async (memory_id: string, graph_id = 'demo') =>
  (await api.ok('getMemory', { path: { graph_id, memory_id } })).body

const trust = async (memory_id: string) => {
  const { confidence, status, superseded_by, supersedes, disputed_by, times_seen } = await get(memory_id)
  return { confidence, status, superseded_by, supersedes, disputed_by, times_seen }
}
const CURRENT = { status: 'current', superseded_by: [], supersedes: [], disputed_by: [], times_seen: 1 }

describe('200: the memory', () => {
  test('field by field, with every default filled in', async () => {
    expect(await get(plain)).toEqual({
      memory_id: plain,
      context_id: 'fact:general',
      text: 'The sky is blue; since: 1987',
      payload: { data: 'The sky is blue', since: 1987 },
      event_kind: 'fact',
      source: 'agent',
      confidence: 0.6,
      status: 'current',
      occurred_at: MOMENT,
      recorded_at: MOMENT,
      place: 1,
      recorded_by: 'root',
      links: { reinforces: [], extends: [], contradicts: [], related_to: [] },
      superseded_by: [],
      supersedes: [],
      disputed_by: [],
      times_seen: 1,
      last_stated_at: MOMENT,
    })
    const { occurred_at, recorded_at, last_stated_at } = await get(plain)
    expect([occurred_at, last_stated_at]).toEqual([recorded_at, recorded_at])
  })

  test('links are given as stated, folded, in order, memory ids as they are', async () => {
    const links = {
      reinforces: ['Skill:B', 'skill:a', plain],
      extends: ['skill:C d'],
      contradicts: ['skill:e'],
      related_to: ['a:b:c', 'file:src/main.ts'],
    }
    const id = await api.record({ context_id: 'skill:linked', payload: { text: 'x' }, ...links })
    expect((await get(id)).links).toEqual({
      ...links,
      reinforces: ['skill:b', 'skill:a', plain],
      extends: ['skill:c_d'],
    })
  })

  test('the payload comes back as it was sent: order, numbers, text and all', async () => {
    const payload =
      '{"z":1,"a":[1.5,-0.25,1e21,null,true,{"":"empty key"}],"10":"x","__proto__":{"a":1},"text":"🦊 \\u2028 é é","nested":{"constructor":[]}}'
    const body = `{"graph_id":"demo","event_kind":"observation","payload":${payload}}`
    const { event_id } = (await api.ok('recordEvent', { body }, 201)).body
    const answer = await api.ok('getMemory', { path: { graph_id: 'demo', memory_id: event_id } })
    expect(answer.body.payload).toEqual(JSON.parse(payload))
    expect(Object.hasOwn(answer.body.payload, '__proto__')).toBe(true)
  })

  test('C5: graphs named like the object prototype', async () => {
    for (const graph_id of PROTOTYPE_NAMES) {
      const id = await api.record({ graph_id, payload: { [`${graph_id}_x`]: graph_id } })
      expect((await get(id, graph_id)).memory_id).toBe(id)
    }
  })
})

describe('200: trust', () => {
  test('starts with the source', async () => {
    const priors = { validator: 0.9, executor: 0.8, user: 0.7, agent: 0.6, system: 0.5 } as const
    for (const [source, confidence] of Object.entries(priors)) {
      const id = await api.record({
        source: source as keyof typeof priors,
        payload: { text: `said by ${source}` },
      })
      expect(await trust(id)).toEqual({ ...CURRENT, confidence })
    }
  })

  test('rises by 0.05 with each other source or key that states or reinforces it, at most four of them', async () => {
    const event: EventParts = { context_id: 'rise:x', payload: { text: 'water boils at 100 degrees' } }
    const id = await api.record({ ...event, source: 'executor' })
    const { headers } = await api.server.key({ scopes: ['write'] })
    const stated = { graph_id: 'demo', event_kind: 'fact', ...event }
    for (const [i, [source, confidence, sent]] of (
      [
        ['executor', 0.8, {}],
        ['agent', 0.85, {}],
        ['agent', 0.85, {}],
        ['agent', 0.9, headers],
      ] as const
    ).entries()) {
      await api.ok('recordEvent', { body: { ...stated, source }, headers: sent }, 200)
      expect(await trust(id)).toEqual({ ...CURRENT, times_seen: i + 2, confidence })
    }
    for (const [i, [source, confidence]] of (
      [
        ['agent', 0.9],
        ['user', 0.95],
        ['system', 0.99],
        ['system', 0.99],
      ] as const
    ).entries()) {
      const payload = { text: `seen ${i}` }
      await api.record({ context_id: 'rise:y', payload, reinforces: [id], source })
      expect(await trust(id)).toEqual({ ...CURRENT, times_seen: 5, confidence })
    }
  })

  test('at most four others count', async () => {
    const payload = { text: 'ice melts at 0 degrees' }
    const id = await api.record({ context_id: 'four:x', payload, source: 'system' })
    const body = { graph_id: 'demo', event_kind: 'fact', context_id: 'four:x', source: 'system', payload }
    for (const confidence of [0.55, 0.6, 0.65, 0.7, 0.7]) {
      const { headers } = await api.server.key({ scopes: ['write'] })
      await api.ok('recordEvent', { body, headers }, 200)
      expect((await trust(id)).confidence).toBe(confidence)
    }
  })

  test('the most trusted source that stated it is shown, with the times of its latest statement', async () => {
    const event: EventParts = { context_id: 'stated:x', payload: { text: 'the well is 30 metres deep' } }
    const id = await api.record({ ...event, timestamp: '2020-01-01T00:00:00Z' })
    const first = await get(id)
    const again = async (parts: EventParts) => {
      await api.ok('recordEvent', { body: { graph_id: 'demo', event_kind: 'fact', ...event, ...parts } }, 200)
      return get(id)
    }
    const strong = { source: 'validator', timestamp: '2021-01-01T00:00:00Z' } as const
    await again({ ...strong, valid_until: '9999-01-01T00:00:00Z', extends: ['a:a'] })
    const last = await again({ source: 'system', timestamp: '2022-01-01T00:00:00Z', extends: ['b:b'] })
    expect(last).toMatchObject({ source: 'validator', confidence: 0.99, times_seen: 3 })
    expect(last.recorded_at).toBe(first.recorded_at)
    expect(last.last_stated_at > first.last_stated_at).toBe(true)
    // A weaker source moves neither times nor links.
    expect(last).toMatchObject({
      occurred_at: '2021-01-01T00:00:00.000Z',
      valid_until: '9999-01-01T00:00:00.000Z',
      links: { extends: ['a:a'] },
    })
    const moved = await again({ ...strong, timestamp: '2023-01-01T00:00:00Z', extends: ['c:c'] })
    expect(moved).toMatchObject({
      occurred_at: '2023-01-01T00:00:00.000Z',
      links: { extends: ['a:a', 'c:c'] },
    })
    expect(moved).not.toHaveProperty('valid_until')
  })

  test('superseded: by a later contradiction from a source trusted at least as much', async () => {
    const old = await api.record({ context_id: 'port:db', payload: { text: 'the port is 5432' } })
    const replacement = await api.record({
      context_id: 'port:db',
      payload: { text: 'the port is 6432' },
      contradicts: ['port:db'],
    })
    expect(await trust(old)).toEqual({
      ...CURRENT,
      confidence: 0.2,
      status: 'superseded',
      superseded_by: [replacement],
    })
    expect(await trust(replacement)).toEqual({ ...CURRENT, supersedes: [old], confidence: 0.6 })
  })

  test('an open contradiction: the later source is trusted less, and both stand', async () => {
    const strong = await api.record({
      context_id: 'cause:x',
      source: 'validator',
      payload: { text: 'the pool is full' },
    })
    const weak = await api.record({
      context_id: 'cause:x',
      payload: { text: 'the pool is empty' },
      contradicts: [strong],
    })
    expect(await trust(strong)).toEqual({ ...CURRENT, disputed_by: [weak], confidence: 0.8 })
    expect(await trust(weak)).toEqual({ ...CURRENT, disputed_by: [strong], confidence: 0.5 })
  })

  test('that more than a hundred others dispute names the latest hundred', async () => {
    const strong = await api.record({ source: 'validator', payload: { data: 'The tower is open' } })
    const { body } = await api.ok(
      'recordEvents',
      {
        body: {
          graph_id: 'demo',
          events: Array.from({ length: 103 }, (_, i) => ({
            event_kind: 'fact',
            context_id: 'fact:general',
            source: 'system',
            payload: { data: `The tower is closed, says ${i}` },
            contradicts: [strong],
          })),
        },
      },
      201,
    )
    const ids = body.results.map(({ event_id }) => event_id)
    expect((await get(strong)).disputed_by).toEqual(ids.slice(-100))
  })

  test('agreement is no veto: what a source said twice, the same source can correct once', async () => {
    const event: EventParts = { context_id: 'safe:x', payload: { text: 'the lights are green' } }
    const id = await api.record(event)
    await api.ok('recordEvent', { body: { graph_id: 'demo', event_kind: 'fact', ...event } }, 200)
    const no = await api.record({ context_id: 'safe:y', payload: { text: 'no' }, contradicts: [id] })
    expect(await trust(id)).toEqual({
      ...CURRENT,
      status: 'superseded',
      superseded_by: [no],
      times_seen: 2,
      confidence: 0.2,
    })
  })

  test('a contradiction of one memory bears on that memory alone', async () => {
    const one = await api.record({ context_id: 'single:x', payload: { text: 'the fox is red' } })
    const other = await api.record({ context_id: 'single:x', payload: { text: 'the fox is red and quick' } })
    await api.record({ context_id: 'single:y', payload: { text: 'the fox is red' }, contradicts: [one] })
    expect((await trust(one)).status).toBe('superseded')
    expect(await trust(other)).toEqual({ ...CURRENT, confidence: 0.6 })
  })

  test('a contradiction of a context leaves what speaks of something else alone', async () => {
    const port = await api.record({ context_id: 'mixed:x', payload: { text: 'The API listens on port 80' } })
    const lunch = await api.record({ context_id: 'mixed:x', payload: { text: 'lunch is served at noon' } })
    await api.record({
      context_id: 'mixed:x',
      payload: { text: 'The API listens on port 81' },
      contradicts: ['mixed:x'],
    })
    expect((await trust(port)).status).toBe('superseded')
    expect(await trust(lunch)).toEqual({ ...CURRENT, confidence: 0.6 })
  })

  test('a contradiction of a context that is sure of none moves no trust', async () => {
    const all = [
      await api.record({ context_id: 'unsure:x', payload: { text: 'we deploy by hand' } }),
      await api.record({ context_id: 'unsure:x', payload: { text: 'the tests need a database' } }),
      await api.record({
        context_id: 'unsure:x',
        payload: { text: 'lunch is served at noon' },
        contradicts: ['unsure:x'],
      }),
    ]
    for (const id of all) expect(await trust(id)).toEqual({ ...CURRENT, confidence: 0.6 })
  })

  test('a contradiction of the only sentence of a context is taken at its word', async () => {
    const one = await api.record({ context_id: 'indent:x', payload: { text: 'use tabs' } })
    const other = { context_id: 'indent:x', payload: { text: 'use spaces' }, contradicts: ['indent:x'] }
    expect((await trust(one)).status).toBe('current')
    expect(await trust(await api.record(other))).toMatchObject({ supersedes: [one] })
  })

  test('a correction of a correction does not bring the first error back', async () => {
    const first = await api.record({ context_id: 'turn:x', payload: { text: 'the cache is warm' } })
    const second = await api.record({
      context_id: 'turn:x',
      payload: { text: 'the cache is cold' },
      contradicts: [first],
    })
    expect((await trust(first)).status).toBe('superseded')
    await api.record({ context_id: 'turn:y', payload: { text: 'measured again' }, contradicts: [second] })
    expect((await trust(first)).status).toBe('superseded')
    expect((await trust(second)).status).toBe('superseded')
  })

  test('stated again, what was superseded stands again and supersedes what stood in its place', async () => {
    const event: EventParts = { context_id: 'back:x', payload: { text: 'The server on port 80 is up' } }
    const up = await api.record(event)
    const down = await api.record({
      context_id: 'back:x',
      payload: { text: 'The server on port 80 is down' },
      contradicts: [up],
    })
    expect((await trust(up)).superseded_by).toEqual([down])
    const again = { graph_id: 'demo', event_kind: 'fact', ...event, contradicts: [down] }
    await api.ok('recordEvent', { body: again }, 200)
    expect(await trust(up)).toMatchObject({ status: 'current', superseded_by: [], supersedes: [down] })
    expect(await trust(down)).toMatchObject({ status: 'superseded', superseded_by: [up], supersedes: [] })
  })

  test('stale: it extends, even through others, a memory that is superseded; a sibling is not', async () => {
    const base = await api.record({ context_id: 'base:x', payload: { text: 'we deploy by hand' } })
    const near = await api.record({
      context_id: 'near:x',
      payload: { text: 'deploys need a checklist' },
      extends: [base],
    })
    const far = await api.record({
      context_id: 'far:x',
      payload: { text: 'print the checklist' },
      extends: [near],
    })
    expect((await trust(far)).status).toBe('current')
    await api.record({ context_id: 'base:x', payload: { text: 'we deploy by robot' }, contradicts: [base] })
    const after = await api.record({ context_id: 'near:x', payload: { text: 'robots need no checklist' } })
    expect((await trust(base)).status).toBe('superseded')
    expect((await trust(near)).status).toBe('stale')
    expect((await trust(far)).status).toBe('stale')
    expect((await trust(after)).status).toBe('current')
  })

  test('what begins later takes the place of what began before, whichever was recorded first', async () => {
    const old = await api.record({
      context_id: 'clock:x',
      payload: { text: 'the gate opens at 8:00' },
      timestamp: '2099-01-01T00:00:00Z',
    })
    const before = await api.record({
      context_id: 'clock:x',
      payload: { text: 'the gate opens at 9:00' },
      contradicts: ['clock:x'],
      timestamp: '1999-01-01T00:00:00Z',
    })
    expect((await trust(old)).status).toBe('planned')
    expect((await trust(before)).status).toBe('current')
  })
})

describe('200: fields, each a claim of its own', () => {
  const soup = { dish: 'Soup', price: 6.4, bread: 'rye' }
  const at = (context_id: string, payload: EventParts['payload'], parts: EventParts = {}) =>
    api.record({ context_id, ...(payload && { payload }), ...parts })

  test('replaced: what no longer stands of a current memory, with what stands now, also in its text', async () => {
    const id = await at('menu:soup', soup)
    expect(await get(id)).not.toHaveProperty('replaced')
    const price = await at('menu:soup', { dish: 'Soup', price: 6.8 }, { contradicts: [`${id}#/price`] })
    expect(await get(id)).toMatchObject({
      payload: soup,
      text: 'dish: Soup; price: 6.8; bread: rye',
      status: 'current',
      confidence: 0.6,
      superseded_by: [],
      replaced: [{ field: 'price', by: price, text: '6.8' }],
    })
    expect(await get(price)).toMatchObject({
      links: { contradicts: [`${id}#/price`] },
      supersedes: [],
    })
    const later = await at('menu:soup', { price: 7, bread: 'oat' }, { contradicts: ['menu:soup'] })
    expect((await get(id)).replaced).toEqual([
      { field: 'price', by: later, text: '7' },
      { field: 'bread', by: later, text: 'oat' },
    ])
    expect(await trust(price)).toMatchObject({ status: 'current' })
  })

  test('superseded once nothing of it stands, and whole again when it is stated again', async () => {
    const id = await at('menu:stew', soup)
    const all = ['dish', 'price', 'bread'].map((field) => `${id}#/${field}`)
    const first = await at('menu:stew', { dish: 'Stew', price: 9 }, { contradicts: all.slice(0, 2) })
    expect((await get(id)).replaced?.map(({ field }) => field)).toEqual(['dish', 'price'])
    const second = await at('menu:stew', { bread: 'none' }, { contradicts: all.slice(2) })
    expect(await get(id)).toMatchObject({ status: 'superseded', confidence: 0.2, payload: soup })
    expect([...(await get(id)).superseded_by].sort()).toEqual([first, second].sort())
    expect(await get(id)).not.toHaveProperty('replaced')
    const body = { graph_id: 'demo', event_kind: 'fact', context_id: 'menu:stew', payload: soup }
    await api.ok('recordEvent', { body }, 200)
    expect(await get(id)).toMatchObject({ status: 'current', superseded_by: [], text: expect.any(String) })
    expect(await get(id)).not.toHaveProperty('replaced')
  })

  test('it has the confidence of its weakest claim, and is disputed with any of them', async () => {
    const id = await at('menu:cake', soup, { source: 'user' })
    const weak = await at('menu:cake', { price: 5 }, { contradicts: [`${id}#/price`] })
    expect(await get(id)).toMatchObject({ status: 'current', confidence: 0.6, disputed_by: [weak] })
    expect(await get(id)).not.toHaveProperty('replaced')
    expect(await get(weak)).toMatchObject({ confidence: 0.5, disputed_by: [id] })
  })

  test('a value of more than 2,000 characters is left where it is', async () => {
    const id = await at('menu:pie', soup)
    const long = 'x'.repeat(2000)
    const by = await at('menu:pie', { bread: long }, { contradicts: [`${id}#/bread`] })
    expect(await get(id)).toMatchObject({ text: `dish: Soup; price: 6.4; bread: see ${by}` })
    expect((await get(id)).replaced).toEqual([{ field: 'bread', by }])
  })
})

describe('200 again after a restart', () => {
  test('the same bytes, trust included', async () => {
    const contexts = [
      'port:db',
      'cause:x',
      'turn:x',
      'back:x',
      'near:x',
      'rise:x',
      'stated:x',
      'skill:linked',
      'menu:soup',
      'menu:stew',
      'menu:cake',
    ]
    const texts = () =>
      Promise.all(
        contexts.map(async (id) => {
          const [context_type = '', name = ''] = id.split(':')
          return (await api.ok('getContext', { path: { graph_id: 'demo', context_type, name } })).text
        }),
      )
    const before = [await texts(), await get(plain)]
    await api.server.restart()
    expect([await texts(), await get(plain)]).toEqual(before)
  })
})

describe('400 Bad Request', () => {
  test.each([
    'mem_1',
    'x',
    '__proto__',
    `mem_8${'0'.repeat(25)}`,
    `mem_${'I'.repeat(26)}`,
    `MEM_${'0'.repeat(26)}`,
    `mem_${'0'.repeat(27)}`,
    '..',
    '🦊',
  ])('memory_id %j', async (memory_id) => {
    const path = { graph_id: 'demo', memory_id }
    const { body } = await api.refused('getMemory', { path }, 400, 'invalid_request')
    expect(body.errors?.map((error) => error.path)).toEqual(['/path/memory_id'])
  })

  test('a query parameter, for there are none', async () => {
    const path = { graph_id: 'demo', memory_id: plain }
    const { body } = await api.refused('getMemory', { path, query: { page: 0 } }, 400, 'invalid_request')
    expect(body.errors?.map((error) => error.path)).toEqual(['/query/page'])
  })
})

describe('404 Not Found', () => {
  test('a memory that the graph does not hold, though another does', async () => {
    const foreign = await api.record({ graph_id: 'other', payload: { text: 'x' } })
    for (const memory_id of [foreign, `mem_${'0'.repeat(26)}`, `mem_7${'Z'.repeat(25)}`])
      await api.refused('getMemory', { path: { graph_id: 'demo', memory_id } }, 404, 'memory_not_found')
  })
})

describeRefusals(api, 'getMemory', () => ({ path: { graph_id: 'demo', memory_id: plain } }))
