import { describe, expect, test } from 'vitest'
import { useApi } from '../support/api.js'
import { describeOnce } from '../support/once.js'
import { describeRefusals } from '../support/refusals.js'

const api = useApi()

const ID: string = expect.stringMatching(/^mem_[0-7][0-9A-HJKMNP-TV-Z]{25}$/)
const fact = (text: string, more: object = {}) => ({ event_kind: 'fact', payload: { text }, ...more })
const good = { graph_id: 'demo', events: [fact('good')] }

const record = async (events: readonly object[], graph_id = 'demo') =>
  (await api.ok('recordEvents', { body: { graph_id, events } }, 201)).body.results
const context = (graph_id: string, context_type: string, name: string) =>
  api.ok('getContext', { path: { graph_id, context_type, name } })
const graphIsAbsent = (graph_id: string) =>
  api.refused('browseContexts', { path: { graph_id } }, 404, 'graph_not_found')

describe('201: all recorded', () => {
  test('one result for each event, in order, each as recordEvent would have answered', async () => {
    const results = await record([
      fact('one', { source: 'user' }),
      { event_kind: 'decision', context_id: 'Skill: Big  Words', payload: { decision: 'two' } },
      fact('one'),
    ])
    expect(results).toEqual([
      {
        event_id: ID,
        context_id: 'fact:general',
        status: 'recorded',
        place: 1,
        confidence: 0.7,
        bears_on: [],
      },
      {
        event_id: ID,
        context_id: 'skill:big_words',
        status: 'recorded',
        place: 2,
        confidence: 0.6,
        bears_on: [],
      },
      {
        event_id: results[0]?.event_id,
        context_id: 'fact:general',
        status: 'duplicate',
        place: 3,
        confidence: 0.75,
        bears_on: [],
      },
    ])
    const ids = results.slice(0, 2).map((result) => result.event_id)
    expect([...ids].sort()).toEqual(ids)
  })

  test('the same as recording one by one, but for ids and times', async () => {
    const events = [
      fact('a', { context_id: 'x:a', source: 'executor' }),
      fact('b', { context_id: 'x:b', extends: ['x:a'] }),
      fact('a', { context_id: 'x:a', source: 'validator', reinforces: ['x:c'] }),
      fact('not a', { context_id: 'x:a', source: 'validator', contradicts: ['x:a'] }),
    ]
    await record(events, 'batched')
    for (const event of events) await api.call('recordEvent', { body: { graph_id: 'single', ...event } })
    const shape = async (graph_id: string) => {
      const contexts = await Promise.all(['a', 'b', 'c'].map((name) => context(graph_id, 'x', name)))
      const ids = contexts.flatMap(({ body }) => body.memories.map((memory) => memory.memory_id)).sort()
      return contexts.map(({ text }) =>
        text.replace(/mem_\w+/g, (id) => `memory ${ids.indexOf(id)}`).replace(/"\d{4}-[^"]*Z"/g, '"time"'),
      )
    }
    expect(await shape('batched')).toEqual(await shape('single'))
  })

  test('fields and unresolved: of each event as recordEvent would have answered', async () => {
    const room = (name: string, more: object) => ({
      ...{ event_kind: 'fact', context_id: 'room:plan' },
      ...{ payload: { room: name, seats: 8, floor: 1 }, ...more },
    })
    const [one, two] = await record([room('north', {}), room('south', {})], 'rooms')
    const [named, asked] = await record(
      [
        room('', { payload: { seats: 9 }, contradicts: [`${one?.event_id}#/seats`] }),
        room('', { payload: { floor: 2 }, contradicts: ['room:plan'] }),
      ],
      'rooms',
    )
    expect(named?.bears_on).toEqual([
      {
        ...{ memory_id: one?.event_id, context_id: 'room:plan', effect: 'supersedes', rule: 'field' },
        ...{ fields: ['seats'], standing: ['room', 'floor'] },
      },
    ])
    expect(named).not.toHaveProperty('unresolved')
    expect(asked).toMatchObject({
      bears_on: [],
      unresolved: [{ path: '/contradicts/0', target: 'room:plan' }],
    })
    expect(asked?.unresolved?.[0]?.candidates.map(({ send }) => send)).toEqual(
      [two?.event_id, one?.event_id].map((id) => `${id}#/floor`).concat(named?.event_id ?? ''),
    )
  })

  test('C3: 1,000 events, and a body of more than 1 MiB', async () => {
    const results = await record(
      Array.from({ length: 1000 }, (_, i) =>
        fact(`event ${i} ${'x'.repeat(1200)}`, { context_id: `many:${i % 7}` }),
      ),
      'thousand',
    )
    expect(results).toHaveLength(1000)
    expect(new Set(results.map((result) => result.event_id)).size).toBe(1000)
    const { body } = await api.ok('listContexts', { path: { graph_id: 'thousand', context_type: 'many' } })
    expect(body.contexts.reduce((sum, it) => sum + it.memory_count, 0)).toBe(1000)
  })
})

describe('403 Forbidden', () => {
  test('C2: one event of a source that the key may not record as, and none is recorded', async () => {
    const { headers } = await api.server.key({ scopes: ['write'], sources: ['agent'] })
    const events = ['agent', undefined, 'validator'].map((source, i) => ({
      event_kind: 'fact',
      payload: { text: `said ${i}` },
      source,
    }))
    const call = { body: { graph_id: 'sources', events }, headers }
    const { body } = await api.refused('recordEvents', call, 403, 'source_forbidden')
    expect(body.errors?.[0]?.path).toBe('/body/events/2/source')
    await api.refused('browseContexts', { path: { graph_id: 'sources' } }, 404, 'graph_not_found')
    events.pop()
    await api.ok('recordEvents', { body: { graph_id: 'sources', events }, headers }, 201)
  })
})

describe('400 Bad Request', () => {
  test('one bad event refuses them all, and nothing of the batch is left behind', async () => {
    const bad = fact('too many links', {
      extends: Array.from({ length: 50 }, (_, i) => `a:${i}`),
      reinforces: Array.from({ length: 50 }, (_, i) => `b:${i}`),
      related_to: ['c:c'],
    })
    const body = { graph_id: 'partial', events: [fact('fine'), fact('fine too'), bad] }
    const refused = await api.refused('recordEvents', { body }, 400, 'invalid_event')
    expect(refused.body.errors?.map((error) => error.path)).toEqual(['/body/events/2'])
    await graphIsAbsent('partial')
  })

  test('a link to an unknown field refuses them all, by its index', async () => {
    const [one] = await record([fact('known', { context_id: 'fields:x' })], 'fields')
    const before = (await context('fields', 'fields', 'x')).text
    const contradicts = [`${one?.event_id}#/text`, `${one?.event_id}#/price`]
    const events = [fact('new', { context_id: 'fields:x' }), fact('not it', { contradicts })]
    const body = { graph_id: 'fields', events }
    const refused = await api.refused('recordEvents', { body }, 400, 'invalid_event')
    expect(refused.body.errors).toEqual([
      {
        path: '/body/events/1/contradicts/1',
        message: `The memory ${one?.event_id} has no field "price".`,
      },
    ])
    expect((await context('fields', 'fields', 'x')).text).toBe(before)
  })
})

describe('413 Content Too Large', () => {
  test('one payload of more than 65,536 bytes refuses them all, by its index', async () => {
    const body = { graph_id: 'large', events: [fact('small'), fact('x'.repeat(65_536))] }
    const refused = await api.refused('recordEvents', { body }, 413, 'content_too_large')
    expect(refused.body.errors?.map((error) => error.path)).toEqual(['/body/events/1/payload'])
    await graphIsAbsent('large')
  })
})

describe('422 Unprocessable Content', () => {
  test('a link to an unknown memory refuses them all, by its index; sightings are not counted either', async () => {
    const [first] = await record([fact('known', { context_id: 'kept:x' })], 'kept')
    const before = (await context('kept', 'kept', 'x')).text
    const events = [
      fact('known', { context_id: 'kept:x', extends: ['kept:new'] }),
      fact('new', { context_id: 'kept:x', contradicts: [first?.event_id] }),
      fact('bad', { context_id: 'kept:y', related_to: ['kept:z', `mem_${'0'.repeat(26)}`] }),
    ]
    const refused = await api.refused(
      'recordEvents',
      { body: { graph_id: 'kept', events } },
      422,
      'unknown_memory',
    )
    expect(refused.body.errors?.map((error) => error.path)).toEqual(['/body/events/2/related_to/1'])
    for (const restarted of [false, true]) {
      if (restarted) await api.server.restart()
      expect((await context('kept', 'kept', 'x')).text).toBe(before)
      const { body } = await api.ok('listContexts', { path: { graph_id: 'kept', context_type: 'kept' } })
      expect(body.contexts.map((it) => it.context_name)).toEqual(['x'])
    }
  })
})

describe('409 for an Idempotency-Key in use, and what else it promises', () =>
  describeOnce(api, 'recordEvents', (change) => ({ graph_id: 'once', events: [fact('once', change)] })))

describeRefusals(api, 'recordEvents', () => ({ body: { ...good, graph_id: 'locked' } }))
