import { describe, expect, test } from 'vitest'
import { type EventParts, MOMENT, useApi } from '../support/api.js'
import { describeRefusals } from '../support/refusals.js'

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

  test('the payload comes back as it was sent: order, numbers, text and all', async () => {
    const payload =
      '{"z":1,"a":[1.5,-0.25,1e21,null,true,{"":"empty key"}],"10":"x","__proto__":{"a":1},"text":"🦊 \\u2028 é é","nested":{"constructor":[]}}'
    const body = `{"graph_id":"demo","event_kind":"observation","payload":${payload}}`
    const { event_id } = (await api.ok('recordEvent', { body }, 201)).body
    const answer = await api.ok('getMemory', { path: { graph_id: 'demo', memory_id: event_id } })
    expect(answer.body.payload).toEqual(JSON.parse(payload))
    expect(Object.hasOwn(answer.body.payload, '__proto__')).toBe(true)
  })
})

describe('200: trust', () => {
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

  test('a value of more than 2,000 characters is left where it is', async () => {
    const id = await at('menu:pie', soup)
    const long = 'x'.repeat(2000)
    const by = await at('menu:pie', { bread: long }, { contradicts: [`${id}#/bread`] })
    expect(await get(id)).toMatchObject({ text: `dish: Soup; price: 6.4; bread: see ${by}` })
    expect((await get(id)).replaced).toEqual([{ field: 'bread', by }])
  })
})

describeRefusals(api, 'getMemory', () => ({ path: { graph_id: 'demo', memory_id: plain } }))
