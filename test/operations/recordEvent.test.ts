import { describe, expect, test } from 'vitest'
import type { Input } from '../../src/contract/operations.js'
import { Failure } from '../../src/domain/failure.js'
import { useApi } from '../support/api.js'
import { eventLines } from '../support/ndjson.js'
import { describeOnce } from '../support/once.js'
import { describeRefusals } from '../support/refusals.js'
import { HOSTILE_WORDS, isText } from '../support/words.js'

const api = useApi(async (it) => {
  await it.record({ payload: { text: 'first' } })
})

const ID: string = expect.stringMatching(/^mem_[0-7][0-9A-HJKMNP-TV-Z]{25}$/)
const NOBODY = `mem_${'0'.repeat(26)}`
const good = { graph_id: 'demo', event_kind: 'fact', payload: { text: 'good' } } as const
type Event = Partial<Input<'recordEvent'>['body']>

const record = (event: Event, status = 201) => api.ok('recordEvent', { body: { ...good, ...event } }, status)
const memory = async (memory_id: string, graph_id = 'demo') =>
  (await api.ok('getMemory', { path: { graph_id, memory_id } })).body
const graphIsAbsent = (graph_id: string) =>
  api.refused('browseContexts', { path: { graph_id } }, 404, 'graph_not_found')

/** Everything that the graph holds, for showing that nothing has changed. */
const everything = async (graph_id: string) => {
  const { body } = await api.ok('browseContexts', { path: { graph_id }, query: { q: 'fact' } })
  return Promise.all(
    (body.contexts ?? []).map(async ({ context_type, context_name: name }) => [
      (await api.ok('getContext', { path: { graph_id, context_type, name } })).text,
      (await api.ok('listRelationships', { path: { graph_id, context_type, name } })).text,
    ]),
  )
}

/** Each of the changes to a good body is refused, and the error names the field. */
async function expectFieldsRefused(changes: readonly (readonly [change: object, path: string])[]) {
  for (const [change, path] of changes) {
    const answer = await api.call('recordEvent', { body: { ...good, ...change } })
    expect([answer.status, answer.body], JSON.stringify(change).slice(0, 200)).toMatchObject([
      400,
      { errors: expect.arrayContaining([expect.objectContaining({ path })]) },
    ])
  }
}

/** `{"a":{"a":…}}` with so many levels. */
const nested = (depth: number) => `${'{"a":'.repeat(depth - 1)}{"a":1}${'}'.repeat(depth - 1)}`
/** A payload of exactly so many bytes as JSON. */
const sized = (bytes: number) => ({ text: 'x'.repeat(bytes - '{"text":""}'.length) })

describe('201: recorded', () => {
  test('exactly event_id, context_id, status, place, confidence and bears_on; the defaults are filled in', async () => {
    const { body } = await record({ payload: { text: 'plain' } })
    expect(body).toEqual({
      event_id: ID,
      context_id: 'fact:general',
      status: 'recorded',
      place: 2,
      confidence: 0.6,
      bears_on: [],
    })
  })

  test('every kind has its own default context; every source its confidence', async () => {
    for (const event_kind of ['fact', 'action', 'decision', 'observation', 'feedback'] as const)
      expect((await record({ event_kind, payload: { text: 'k' } })).body.context_id).toBe(
        `${event_kind}:general`,
      )
    const priors = { validator: 0.9, executor: 0.8, user: 0.7, agent: 0.6, system: 0.5 } as const
    for (const source of ['validator', 'executor', 'user', 'agent', 'system'] as const)
      expect((await record({ source, payload: { text: source } })).body.confidence).toBe(priors[source])
  })

  test('hostile words are stored and returned as they were sent', async () => {
    for (const word of HOSTILE_WORDS.filter(isText)) {
      const payload = { [`k${word}`]: word, word: [word], of: 'words' }
      const { body } = await record({ graph_id: 'words', payload })
      expect((await memory(body.event_id, 'words')).payload).toEqual(payload)
    }
  })

  test('timestamps in every form of RFC 3339', async () => {
    for (const [timestamp, occurred_at] of [
      ['2020-01-01t00:00:00z', '2020-01-01T00:00:00.000Z'],
      ['2020-01-01 00:00:00Z', '2020-01-01T00:00:00.000Z'],
      ['2016-12-31T23:59:60Z', '2016-12-31T23:59:59.999Z'],
      ['2020-01-01T00:00:00.123456789-08:00', '2020-01-01T08:00:00.123Z'],
      ['0000-01-01T00:00:00Z', '0000-01-01T00:00:00.000Z'],
      ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59.000Z'],
    ] as const) {
      const { body } = await record({ timestamp, payload: { text: timestamp } })
      expect((await memory(body.event_id)).occurred_at).toBe(occurred_at)
    }
  })

  test('C3: the bounds themselves are accepted', async () => {
    const target = (i: number) => `t:${i}`
    const fifty = (from: number) => Array.from({ length: 50 }, (_, i) => target(from + i))
    const full = await record({ payload: { text: 'links' }, extends: fifty(0), related_to: fifty(50) })
    expect((await memory(full.body.event_id)).links.related_to).toHaveLength(50)
    await record({ graph_id: 'g'.repeat(128) })
    await record({ context_id: `${'t'.repeat(64)}:${'🦊'.repeat(200)}` })
    await record({ payload: sized(65_536) })
    await api.ok(
      'recordEvent',
      { body: `{"graph_id":"demo","event_kind":"fact","payload":${nested(32)}}` },
      201,
    )
    const keys = Array.from({ length: 1000 }, (_, i) => [`k${i}`, i])
    await record({ payload: Object.fromEntries(keys) })
  })
})

describe('201: valid_until, when a claim runs out', () => {
  const status = async (id: string) => {
    const { status, valid_until } = await memory(id, 'valid')
    return { status, valid_until }
  }

  test('it is told as expired once that has come, is kept, and stands for trust', async () => {
    const event: Event = { graph_id: 'valid', payload: { text: 'frozen' }, timestamp: '2020-01-01T00:00:00Z' }
    const { event_id } = (await record({ ...event, valid_until: '2020-02-01T00:00:00+01:00' })).body
    expect(await status(event_id)).toEqual({ status: 'expired', valid_until: '2020-01-31T23:00:00.000Z' })
    expect((await memory(event_id, 'valid')).confidence).toBe(0.6)
    const body = { query: 'frozen', graph_id: 'valid' }
    expect((await api.ok('recallMemories', { body })).body.memories).toContain('confidence 0.60, expired)')
    const { items } = (await api.ok('recallMemories', { body: { ...body, format: 'json' } })).body
    expect(items).toMatchObject([{ status: 'expired', valid_until: '2020-01-31T23:00:00.000Z' }])
  })
})

describe('201: valid_from, when a claim begins', () => {
  const times = async (event: Event) => {
    const { event_id } = (await record({ ...event, graph_id: 'begins' })).body
    const { status, occurred_at, recorded_at, valid_from, valid_until } = await memory(event_id, 'begins')
    return { status, occurred_at, recorded_at, valid_from, valid_until }
  }
  const today = new Date().toISOString().slice(0, 10)

  test('it is planned until then', async () => {
    expect(await times({ payload: { text: 'ahead' }, valid_from: '9999-01-01' })).toMatchObject({
      status: 'planned',
      valid_from: '9999-01-01T00:00:00.000Z',
    })
    expect(
      await times({ payload: { text: 'begun' }, valid_from: '2020-01-01T01:00:00+01:00' }),
    ).toMatchObject({
      status: 'current',
      valid_from: '2020-01-01T00:00:00.000Z',
    })
  })

  test('a date begins at 00:00 UTC, and as an end means through that day', async () => {
    const dates = { timestamp: '2020-01-01', valid_from: '2020-01-02', valid_until: '2020-01-02' }
    expect(await times({ payload: { text: 'one day' }, ...dates })).toMatchObject({
      status: 'expired',
      occurred_at: '2020-01-01T00:00:00.000Z',
      valid_from: '2020-01-02T00:00:00.000Z',
      valid_until: '2020-01-03T00:00:00.000Z',
    })
  })

  test('that of today is the moment of recording', async () => {
    const both = { timestamp: today, valid_from: today }
    const { status, occurred_at, recorded_at } = await times({ payload: { text: 'today' }, ...both })
    expect(occurred_at).toBe(recorded_at)
    expect(status).toBe('current')
    const later = await times({ payload: { text: 'since' }, timestamp: '2020-01-01', valid_from: today })
    expect(later.valid_from).toMatch(new RegExp(`^${today}T`))
    expect(later.status).toBe('current')
  })

  test('valid_until must be later than that alone', async () => {
    const dates = { timestamp: '2020-02-01', valid_from: '2020-01-01', valid_until: '2020-01-31' }
    expect(await times({ payload: { text: 'told afterwards' }, ...dates })).toMatchObject({
      status: 'expired',
      valid_until: '2020-02-01T00:00:00.000Z',
    })
    const wrong = { ...good, payload: { text: 'wrong' }, valid_from: '2020-03-01', valid_until: '2020-02-01' }
    const { body } = await api.refused('recordEvent', { body: wrong }, 400, 'invalid_event')
    expect(body.detail).toBe('/body/valid_until must be later than the valid_from, 2020-03-01T00:00:00.000Z.')
  })
})

describe('201: recorded_by, the key of each statement', () => {
  test('told to those who hold admin alone, with another tag', async () => {
    const writer = await api.server.key({ scopes: ['write'] })
    const other = await api.server.key({ scopes: ['write', 'read'] })
    const admin = await api.server.key({ scopes: ['read', 'admin'] })
    const body = { ...good, graph_id: 'keys', payload: { text: 'by a key' } }
    const { event_id } = (await api.ok('recordEvent', { body, headers: writer.headers }, 201)).body
    // The same event by another key is a statement of its own.
    await api.ok('recordEvent', { body, headers: other.headers }, 200)
    const path = { graph_id: 'keys', memory_id: event_id }
    const [shown, hidden] = [
      await api.ok('getMemory', { path, headers: admin.headers }),
      await api.ok('getMemory', { path, headers: other.headers }),
    ]
    expect(shown.body.recorded_by).toBe(writer.key_id)
    expect(hidden.body).not.toHaveProperty('recorded_by')
    expect(shown.headers['etag']).not.toBe(hidden.headers['etag'])
    const headers = { ...other.headers, 'If-None-Match': String(shown.headers['etag']) }
    expect((await api.call('getMemory', { path, headers })).status).toBe(200)
    const context = { path: { graph_id: 'keys', context_type: 'fact', name: 'general' } }
    const { memories } = (await api.ok('getContext', { ...context, headers: other.headers })).body
    expect(memories).toHaveLength(1)
    expect(memories[0]).not.toHaveProperty('recorded_by')
    const of = async (key: { headers: Record<string, string> }) =>
      eventLines(
        (await api.ok('exportGraph', { path: { graph_id: 'keys' }, headers: key.headers })).text,
      ).map((line): unknown => JSON.parse(line).recorded_by)
    expect(await of(admin)).toEqual([writer.key_id, other.key_id])
    expect(await of(other)).toEqual([undefined, undefined])
  })
})

describe('201: fields, each a claim of its own', () => {
  const lamp = { item: 'lamp', price: 20, colour: 'red', stock: 4 }
  const at = (graph_id: string, event: Event, status = 201) =>
    record({ graph_id, context_id: 'item:lamp', ...event }, status)
  const first = async (graph_id: string, event: Event = {}) =>
    (await at(graph_id, { payload: lamp, ...event })).body.event_id
  const context_id = 'item:lamp'

  test('by field: that field alone, with what of the memory still stands', async () => {
    const old = await first('by_field')
    const event = { payload: { price: 21 }, contradicts: [`${old}#/price`] }
    const effect = { context_id, effect: 'supersedes', rule: 'field', fields: ['price'] }
    expect((await at('by_field', event)).body.bears_on).toEqual([
      { ...effect, memory_id: old, standing: ['item', 'colour', 'stock'] },
    ])
    const { body } = await at('by_field', { payload: { colour: 'blue' }, contradicts: [`${old}#/colour`] })
    expect(body.bears_on).toMatchObject([{ fields: ['colour'], standing: ['item', 'stock'] }])
    expect(await memory(old, 'by_field')).toMatchObject({ status: 'current', superseded_by: [] })
  })

  test('by field: disputes, reinforces and extends', async () => {
    const old = await first('others', { source: 'user' })
    for (const [link, name, effect, text] of [
      ['contradicts', 'price', 'disputes', '23'],
      ['reinforces', 'colour', 'reinforces', 'red'],
      ['extends', 'stock', 'extends', 'so order two more'],
    ] as const) {
      const targets = [`${old}#/${name}`]
      const { body } = await at('others', { payload: { text }, [link]: targets })
      const fields = effect === 'extends' ? {} : { fields: [name] }
      expect(body.bears_on).toEqual([{ memory_id: old, context_id, effect, rule: 'field', ...fields }])
      expect((await memory(body.event_id, 'others')).links[link]).toEqual(targets)
    }
  })

  test('by field: a name with signs of its own is percent-encoded, as a JSON pointer', async () => {
    const payload = { 'a/b ~ c#d': 1, é: 2, plain: 3 }
    const old = await first('signs', { payload })
    const contradicts = [`${old}#/a~1b%20~0%20c%23d`, `${old}#/%C3%A9`]
    const { body } = await at('signs', { payload: { 'a/b ~ c#d': 5, é: 6 }, contradicts })
    expect(body.bears_on).toMatchObject([{ fields: ['a/b ~ c#d', 'é'], standing: ['plain'] }])
    expect((await memory(body.event_id, 'signs')).links.contradicts).toEqual(contradicts)
  })
})

describe('201: unresolved, links that moved nothing', () => {
  const context_id = 'room:plan'
  const at = (graph_id: string, event: Event, status = 201) =>
    record({ graph_id, context_id, ...event }, status)
  /** Two rooms, and a remark of which of them is not known. */
  const rooms = async (graph_id: string) => {
    const room = async (payload: Event['payload']) =>
      (await at(graph_id, { ...(payload && { payload }) })).body
    const one = (await room({ room: 'north', seats: 8, floor: 1 })).event_id
    const two = (await room({ room: 'south', seats: 9, floor: 1 })).event_id
    return { one, two, remark: { payload: { seats: 10 }, contradicts: ['a:b', context_id] } }
  }

  test('field by field; sending what it says instead of the link settles it', async () => {
    const { one, two, remark } = await rooms('rooms')
    const { body } = await at('rooms', remark)
    expect(body.bears_on).toEqual([])
    const seats = (id: string) => ({ memory_id: id, field: 'seats', send: `${id}#/seats` })
    expect(body.unresolved).toEqual([
      { path: '/contradicts/0', target: 'a:b', candidates: [] },
      {
        path: '/contradicts/1',
        target: context_id,
        candidates: [
          { ...seats(two), text: 'room: south; seats: 9; floor: 1' },
          { ...seats(one), text: 'room: north; seats: 8; floor: 1' },
        ],
      },
    ])
    for (const id of [one, two])
      expect(await memory(id, 'rooms')).toMatchObject({ status: 'current', confidence: 0.6 })
    const send = body.unresolved?.[1]?.candidates[1]?.send ?? ''
    const settled = (await at('rooms', { ...remark, contradicts: [send] }, 200)).body
    expect(settled).toMatchObject({
      event_id: body.event_id,
      status: 'duplicate',
      bears_on: [
        {
          memory_id: one,
          effect: 'supersedes',
          rule: 'field',
          fields: ['seats'],
          standing: ['room', 'floor'],
        },
      ],
    })
    expect(settled).not.toHaveProperty('unresolved')
    expect((await memory(one, 'rooms')).replaced).toEqual([{ field: 'seats', by: body.event_id, text: '10' }])
    expect(await memory(two, 'rooms')).not.toHaveProperty('replaced')
  })

  test('of two that agree in as much none is taken; one that agrees in more is', async () => {
    const { one, two } = await rooms('equal')
    const seats = { seats: 10, floor: 1 }
    const { body } = await at('equal', { payload: seats, contradicts: [context_id] })
    expect(body.bears_on).toEqual([])
    expect(body.unresolved?.[0]?.candidates.map(({ memory_id }) => memory_id)).toEqual([two, one])
    const more = await at('equal', {
      payload: { ...seats, seats: 11, room: 'north' },
      contradicts: [context_id],
    })
    expect(more.body.bears_on).toMatchObject([{ memory_id: one, rule: 'fields' }])
    expect(more.body).not.toHaveProperty('unresolved')
  })

  test('reinforces asks, extends and related_to do not', async () => {
    const { remark } = await rooms('kinds')
    const links = { reinforces: [context_id], extends: [context_id], related_to: [context_id] }
    const { body } = await at('kinds', { payload: remark.payload, ...links })
    expect(body.unresolved?.map(({ path }) => path)).toEqual(['/reinforces/0'])
  })

  test('at most five candidates', async () => {
    for (let i = 0; i < 7; i++) await at('many', { payload: { room: `no ${i}`, seats: i, floor: 1 } })
    const { body } = await at('many', { payload: { seats: 10 }, contradicts: [context_id] })
    expect(body.unresolved?.[0]?.candidates).toHaveLength(5)
  })

  test('the same to an Idempotency-Key that is sent again, and to a dry run', async () => {
    const { remark } = await rooms('again')
    const dry = await at('again', { ...remark, dry_run: true }, 200)
    const body = { ...good, graph_id: 'again', context_id, ...remark }
    const headers = { 'Idempotency-Key': 'unresolved' }
    const once = (await api.ok('recordEvent', { body, headers }, 201)).body
    expect(once.unresolved).toHaveLength(2)
    expect(dry.body.unresolved).toEqual(once.unresolved)
    expect((await api.ok('recordEvent', { body, headers }, 201)).body).toEqual(once)
  })

  test('C2: to a key without the scope read without candidates', async () => {
    const { remark, one } = await rooms('blind')
    const { headers } = await api.server.key({ scopes: ['write'] })
    const body = { ...good, graph_id: 'blind', context_id, ...remark }
    const told = (await api.ok('recordEvent', { body, headers }, 201)).body
    expect(told.unresolved).toEqual([
      { path: '/contradicts/0', target: 'a:b', candidates: [] },
      { path: '/contradicts/1', target: context_id, candidates: [] },
    ])
    const named = { ...body, contradicts: [`${one}#/seats`] }
    expect((await api.ok('recordEvent', { body: named, headers }, 200)).body.bears_on).toEqual([
      { memory_id: one, effect: 'supersedes', rule: 'field' },
    ])
  })
})

describe('201: to a key without the scope read', () => {
  test('C2: no similar, and of bears_on what it names by id, without contexts', async () => {
    const graph_id = 'write_only'
    const { headers } = await api.server.key({ scopes: ['write'] })
    const fact = { graph_id, event_kind: 'fact', context_id: 'door:a' } as const
    const door = (colour: string) => ({ text: `The office door is painted ${colour}` })
    const { event_id: old } = (await record({ ...fact, payload: door('green') })).body
    const { event_id: later } = (await record({ ...fact, payload: door('blue'), contradicts: [old] })).body
    const white = { ...fact, context_id: 'door:b', payload: door('white') }
    for (const more of [{ dry_run: true }, { similar: true }, {}]) {
      const { body, status } = await api.call('recordEvent', { body: { ...white, ...more }, headers })
      expect([200, 201]).toContain(status)
      expect(body).not.toHaveProperty('similar')
    }
    const contradiction = { ...fact, payload: door('red') }
    const named = [{ memory_id: old, effect: 'noted', rule: 'memory' }]
    const told = async (contradicts: string[]) => {
      const body = { ...contradiction, contradicts, dry_run: true }
      return (await api.ok('recordEvent', { body, headers })).body.bears_on
    }
    expect(await told([old])).toEqual(named)
    expect(await told(['door:a'])).toEqual([])
    const replaced = { memory_id: later, effect: 'supersedes', rule: 'memory' }
    expect(await told([old, later])).toContainEqual(replaced)
    const batch = { graph_id, events: [{ event_kind: 'fact', payload: door('red'), contradicts: [old] }] }
    const { results } = (await api.ok('recordEvents', { body: batch, headers }, 201)).body
    expect(results[0]?.bears_on).toEqual(named)
  })
})

describe('201: read for meaning', () => {
  const reading = useApi(undefined, { meaning: 'on' })

  test.each([
    ['one character', 'x'],
    ['64 KiB of one word', 'kettle'.repeat(10_900)],
    ['emoji', '🫖🦊'.repeat(1000)],
  ])('an event of %s is recorded, and offered what is like it', async (_, text) => {
    for (const graph_id of ['once', 'many'])
      await reading.ok('recordEvent', { body: { graph_id, event_kind: 'fact', payload: { text } } }, 201)
    const body = { graph_id: 'many', event_kind: 'fact', context_id: 'fact:other', payload: { text } }
    const asking = { ...body, similar: true }
    expect((await reading.ok('recordEvent', { body: asking }, 201)).body).toHaveProperty('similar')
    const quiet = { ...body, context_id: 'fact:quiet' }
    expect((await reading.ok('recordEvent', { body: quiet }, 201)).body).not.toHaveProperty('similar')
  })

  test('what is like an event is as like right after it was recorded as a while later', async () => {
    const graph_id = 'just_now'
    const servers = ['alpha', 'beta', 'gamma', 'delta', 'epsilon']
    const causes = servers.map((server) => `The backup of ${server} fails because the disk is full`)
    const events = causes.map((cause) => ({ event_kind: 'observation', payload: { cause } }))
    await reading.ok('recordEvents', { body: { graph_id, events } }, 201)
    const payload = { decision: 'Keep backups for 7 days, because the disk is full' }
    const body = { graph_id, event_kind: 'decision', payload, similar: true, dry_run: true }
    const similar = async () => (await reading.ok('recordEvent', { body }, 200)).body.similar
    const atOnce = await similar()
    await reading.server.store.caughtUp(graph_id)
    expect(atOnce).toHaveLength(5)
    expect(await similar()).toEqual(atOnce)
  })

  test('a hundred at once are recorded', async () => {
    const events = Array.from({ length: 100 }, (_, i) => ({ text: `Kettle ${i} boils.` }))
    await Promise.all(events.map((payload) => reading.record({ graph_id: 'hundred', payload })))
    const { body } = await reading.ok('browseContexts', { path: { graph_id: 'hundred' } })
    expect(body).toMatchObject({ context_types: [{ count: 1 }] })
  })
})

describe('201: similar, what may speak of the same thing', () => {
  const door = (colour: string) => ({ text: `The office door is painted ${colour}` })
  const ask = (event: Event) => record({ similar: true, ...event })
  const similar = async (event: Event) => (await ask({ graph_id: 'similar', ...event })).body.similar

  test('field by field, without the event itself and what it bears on', async () => {
    const graph_id = 'alike'
    const green = (await ask({ graph_id, context_id: 'door:a', payload: door('green') })).body
    const blue = (await ask({ graph_id, context_id: 'door:b', payload: door('blue') })).body
    expect(blue.similar).toEqual([
      {
        memory_id: green.event_id,
        context_id: 'door:a',
        text: 'The office door is painted green',
        likeness: expect.any(Number),
      },
    ])
    const likeness = blue.similar?.[0]?.likeness ?? -1
    expect(likeness > 0 && likeness <= 1).toBe(true)
    const red = (await ask({ graph_id, payload: door('red'), contradicts: [green.event_id] })).body
    expect(red.similar?.map(({ memory_id }) => memory_id)).toEqual([blue.event_id])
    const white = (await ask({ graph_id, payload: door('white') })).body
    expect(white.similar?.map(({ memory_id }) => memory_id).sort()).toEqual([blue.event_id, red.event_id])
  })

  test('at most five, those of a context that it links to first', async () => {
    for (const colour of ['green', 'blue', 'red', 'white', 'black', 'yellow'])
      await similar({ context_id: `door:${colour}`, payload: door(colour) })
    expect(await similar({ payload: door('pink') })).toHaveLength(5)
    for (const context_id of ['door:yellow', 'door:green']) {
      const found = await similar({ payload: door(`as ${context_id}`), related_to: [context_id] })
      expect(found).toHaveLength(5)
      expect(found?.[0]?.context_id).toBe(context_id)
    }
  })

  test('only who asks for it is told, also of a duplicate', async () => {
    for (const event of [{ similar: false }, {}]) {
      const payload = door(`grey, and similar is ${event.similar}`)
      const { body } = await record({ graph_id: 'similar', payload, ...event })
      expect(Object.keys(body).sort()).toEqual(
        'bears_on confidence context_id event_id place status'.split(' '),
      )
    }
    expect(await similar({ payload: door('brown') })).toHaveLength(5)
    const again = { graph_id: 'similar', payload: door('brown') }
    expect((await record(again, 200)).body).not.toHaveProperty('similar')
    expect((await record({ ...again, similar: true }, 200)).body.similar).toHaveLength(5)
  })

  test('with an Idempotency-Key as well: asked anew with each answer, since it is not kept', async () => {
    const body = { ...good, graph_id: 'keyed', payload: door('green'), similar: true }
    const headers = { 'Idempotency-Key': 'similar' }
    const first = (await api.ok('recordEvent', { body, headers }, 201)).body
    expect(first.similar).toEqual([])
    const { event_id } = (await record({ graph_id: 'keyed', payload: door('blue') })).body
    const again = (await api.ok('recordEvent', { body, headers }, 201)).body
    expect(again).toEqual({ ...first, similar: [expect.objectContaining({ memory_id: event_id })] })
  })

  test('it is left out when the graph cannot be read any more: the event is recorded all the same', async () => {
    const { store } = api.server
    const read = store.read
    store.read = () => Promise.reject(new Failure('storage_unavailable', 'The store cannot be read.'))
    try {
      const { body } = await ask({ graph_id: 'unread', payload: door('green') })
      expect(body).not.toHaveProperty('similar')
      store.read = read
      expect(await memory(body.event_id, 'unread')).toMatchObject({ times_seen: 1 })
    } finally {
      store.read = read
    }
  })

  test('nothing of another graph', async () => {
    expect((await ask({ graph_id: 'lonely', payload: door('green') })).body.similar).toEqual([])
  })
})

describe('200: a duplicate', () => {
  test('the first event_id, status duplicate, one more sighting; more confidence by another source or key', async () => {
    const event: Event = { context_id: 'dup:x', payload: { a: 1, b: { c: [1, 2], d: 'x' } } }
    const first = (await record(event)).body
    const again = await record(
      { ...event, context_id: 'DUP: X', payload: { b: { d: 'x', c: [1, 2] }, a: 1.0 } },
      200,
    )
    const place = (first.place ?? 0) + 1
    expect(again.body).toEqual({ ...first, status: 'duplicate', place })
    const { headers } = await api.server.key({ scopes: ['write'] })
    const confident = async (body: Event, sent = {}) =>
      (await api.ok('recordEvent', { body: { ...good, ...body }, headers: sent })).body.confidence
    expect(await confident({ ...event, source: 'system' })).toBe(0.65)
    expect(await confident(event, headers)).toBe(0.7)
    expect(await confident(event, headers)).toBe(0.7)
    expect((await memory(first.event_id)).times_seen).toBe(5)
  })
})

describe('200: a dry run', () => {
  const NONE = 'mem_00000000000000000000000000'
  const dry = async (event: Event) => (await record({ ...event, dry_run: true }, 200)).body
  const bytes = async (graph_id: string) => (await api.ok('exportGraph', { path: { graph_id } })).text
  const graph_id = 'dry'

  test('field by field what recording answers, but for the id; nothing is recorded', async () => {
    const { event_id: base } = (
      await record({ graph_id, context_id: 'tool:ci', payload: { text: 'CI has two cores' } })
    ).body
    const before = await bytes(graph_id)
    for (const event of [
      { payload: { text: 'A word on its own' } },
      { context_id: 'tool:ci', payload: { text: 'CI has four cores' }, contradicts: [base] },
      { context_id: 'tool:ci', payload: { text: 'CI has six cores' }, contradicts: [base], source: 'system' },
      {
        context_id: 'tool:ci',
        payload: { text: 'CI has two cores, and they are slow' },
        extends: ['tool:ci'],
      },
    ] as const) {
      const fresh = `${graph_id}-${event.payload.text.replaceAll(/\W/g, '-')}`
      const asked = { ...event, similar: true }
      const answer = await dry({ graph_id, ...asked })
      expect(answer).toMatchObject({ event_id: NONE, dry_run: true, similar: expect.any(Array) })
      expect(await bytes(graph_id)).toBe(before)
      // In a copy, so that the next dry run is of the same graph.
      await api.ok('importGraph', { path: { graph_id: fresh }, body: before }, 201)
      const { body } = await record({ graph_id: fresh, ...asked })
      expect({ ...answer, event_id: body.event_id }).toEqual({ ...body, dry_run: true })
    }
  })

  test('the id of a dry run is that of no memory', async () => {
    await dry({ payload: { text: 'not kept' } })
    await api.refused('getMemory', { path: { graph_id: 'demo', memory_id: NONE } }, 404, 'memory_not_found')
    const body = { ...good, extends: [NONE] }
    await api.refused('recordEvent', { body }, 422, 'unknown_memory')
  })

  test('who does not ask for similar is not told; dry_run: false records', async () => {
    expect(await dry({ payload: { text: 'alone' } })).not.toHaveProperty('similar')
    const { body } = await record({ payload: { text: 'not dry' }, dry_run: false })
    expect(body).not.toHaveProperty('dry_run')
    expect((await memory(body.event_id)).times_seen).toBe(1)
  })

  test('400: with an Idempotency-Key, which would have nothing to answer again', async () => {
    const { body } = await api.refused(
      'recordEvent',
      { body: { ...good, dry_run: true }, headers: { 'Idempotency-Key': 'dry' } },
      400,
      'invalid_event',
    )
    expect(body.errors).toEqual([
      { path: '/body/dry_run', message: expect.stringContaining('must not be true with an Idempotency-Key') },
    ])
  })

  test('422 and 400: what recording refuses', async () => {
    const event = { ...good, dry_run: true, extends: ['mem_01KJPZ6C3RS6ACV2ZXG3FQ2E8N'] }
    await api.refused('recordEvent', { body: event }, 422, 'unknown_memory')
    await api.refused(
      'recordEvent',
      { body: { ...good, dry_run: true, payload: { a: '' } } },
      400,
      'invalid_event',
    )
  })
})

describe('403 Forbidden', () => {
  test('C2: a source that the key may not record as; the one it may, also as the default', async () => {
    const agent = await api.server.key({ scopes: ['write'], sources: ['agent'] })
    const judge = await api.server.key({ scopes: ['write'], sources: ['validator', 'executor'] })
    const body = { graph_id: 'sources', event_kind: 'fact', payload: { text: 'who says so' } }
    const record = (key: typeof agent, source?: string) => ({
      body: { ...body, source },
      headers: key.headers,
    })
    for (const call of [
      record(agent, 'validator'),
      record(agent, 'user'),
      record(judge),
      record(judge, 'agent'),
    ]) {
      const { body: problem } = await api.refused('recordEvent', call, 403, 'source_forbidden')
      expect(problem.errors).toEqual([
        { path: '/body/source', message: expect.stringMatching(/^must be a source/) },
      ])
    }
    await api.refused(
      'listContexts',
      { path: { graph_id: 'sources', context_type: 'fact' } },
      404,
      'graph_not_found',
    )
    const made = await api.ok('recordEvent', record(agent), 201)
    await api.ok('recordEvent', record(judge, 'validator'), 200)
    expect(api.server.lines).toContainEqual(
      expect.objectContaining({ id: made.headers['x-request-id'], route: 'recordEvent', key: agent.key_id }),
    )
  })
})

describe('400 Bad Request', () => {
  test('names that would be steps of a path, in events and in links', async () => {
    for (const [change, path] of [
      [{ context_id: 'fact:..' }, '/body/context_id'],
      [{ context_id: ' . :a' }, '/body/context_id'],
      [{ context_id: 'fact:\u2025' }, '/body/context_id'],
      [{ extends: ['a:b', 'fact:.'] }, '/body/extends/1'],
    ] as const) {
      const { body } = await api.refused('recordEvent', { body: { ...good, ...change } }, 400, 'invalid_name')
      expect(body.errors).toEqual([{ path, message: expect.stringContaining('neither . nor ..') }])
    }
  })

  test('dates that are none, ends that come before what they end, and names too long once they are folded', () =>
    expectFieldsRefused([
      [{ context_id: `x:${'\ufdfa'.repeat(12)}` }, '/body/context_id'],
      [{ context_id: 'skill:\ud800' }, '/body/context_id'],
      [{ timestamp: '2020-02-30T00:00:00Z' }, '/body/timestamp'],
      [{ timestamp: '2020-02-30' }, '/body/timestamp'],
      [{ valid_from: '2020-02-30' }, '/body/valid_from'],
      [{ valid_until: '2020-02-30T00:00:00Z' }, '/body/valid_until'],
      // Without a timestamp it happens now.
      [{ valid_until: '2020-01-01T00:00:00Z' }, '/body/valid_until'],
      [{ timestamp: '2020-01-01T00:00:00Z', valid_until: '2020-01-01T01:00:00+01:00' }, '/body/valid_until'],
      [{ timestamp: '2020-01-02', valid_until: '2020-01-01' }, '/body/valid_until'],
      [{ valid_from: '2999-01-02', valid_until: '2999-01-01' }, '/body/valid_until'],
      [{ timestamp: '9999-12-31T23:59:59-05:00' }, '/body/timestamp'],
    ]))

  test('pointers to a field that are none', () =>
    expectFieldsRefused(
      ['#price', '#/', '#/a/b', '#/a b', `#/${'x'.repeat(461)}`].map((pointer) => [
        { contradicts: [NOBODY + pointer] },
        '/body/contradicts/0',
      ]),
    ))

  test.each([
    '{"value":""}',
    '{"value":" \\n\\t"}',
    '{"value":null}',
    '{"value":[]}',
    '{"a":{"b":{}}}',
    '{"a":[{"b":[null,""]}]}',
  ])('a payload that says nothing: %s', async (payload) => {
    const body = `{"graph_id":"silent","event_kind":"fact","payload":${payload}}`
    const refused = await api.refused('recordEvent', { body }, 400, 'invalid_event')
    expect(refused.body.errors?.map((error) => error.path)).toEqual(['/body/payload'])
    await graphIsAbsent('silent')
  })

  test('false and 0 say something', async () => {
    for (const value of [false, 0]) await record({ payload: { value } })
  })

  test('one field in both reinforces and contradicts, or with its memory; two fields are two things', async () => {
    const graph_id = 'both_fields'
    const { event_id } = (await record({ graph_id, payload: { a: 1, b: 2 } })).body
    for (const [reinforces, contradicts] of [
      [`${event_id}#/a`, `${event_id}#/a`],
      [`${event_id}#/a`, event_id],
      [event_id, `${event_id}#/b`],
    ] as const) {
      const body = { ...good, graph_id, reinforces: [reinforces], contradicts: [contradicts] }
      const refused = await api.refused('recordEvent', { body }, 400, 'invalid_event')
      expect(refused.body.errors?.map((error) => error.path)).toEqual(['/body/contradicts/0'])
    }
    const links = { reinforces: [`${event_id}#/a`], contradicts: [`${event_id}#/b`] }
    const { body } = await record({ graph_id, payload: { b: 3 }, ...links })
    expect(body.bears_on.map(({ effect, fields }) => [effect, fields])).toEqual([
      ['supersedes', ['b']],
      ['reinforces', ['a']],
    ])
  })

  test('a field that the memory does not have, by name; nothing is recorded', async () => {
    const graph_id = 'no_field'
    const { event_id } = (await record({ graph_id, payload: { unit_price: 1, 'a b': 2 } })).body
    const before = await everything(graph_id)
    for (const [field, targets, path, name] of [
      ['contradicts', [`${event_id}#/cost`], '/body/contradicts/0', '"cost"'],
      ['extends', ['a:b', `${event_id}#/constructor`], '/body/extends/1', '"constructor"'],
      ['related_to', [`${event_id}#/a~1b`], '/body/related_to/0', '"a/b"'],
      ['reinforces', [`${event_id}#/%F0%9F%A6%8A`], '/body/reinforces/0', '"🦊"'],
    ] as const) {
      const body = { ...good, graph_id, payload: { x: 1 }, [field]: targets }
      const refused = await api.refused('recordEvent', { body }, 400, 'invalid_event')
      expect(refused.body.errors).toEqual([{ path, message: `The memory ${event_id} has no field ${name}.` }])
    }
    expect(await everything(graph_id)).toEqual(before)
    // However it is spelt: the same field.
    const contradicts = [`${event_id}#/unitPrice`]
    const { body } = await record({ graph_id, payload: { unit_price: 2 }, contradicts })
    expect(body.bears_on).toMatchObject([{ fields: ['unit_price'], standing: ['a b'] }])
  })

  test('more than 100 links together', async () => {
    const links = (name: string, n: number) => Array.from({ length: n }, (_, i) => `${name}:${i}`)
    const body = { ...good, extends: links('a', 50), reinforces: links('b', 50), related_to: ['c:c'] }
    const refused = await api.refused('recordEvent', { body }, 400, 'invalid_event')
    expect(refused.body.errors?.map((error) => error.path)).toEqual(['/body'])
  })

  test('C4: a payload deeper than 32 levels', async () => {
    const body = `{"graph_id":"deep","event_kind":"fact","payload":${nested(33)}}`
    await api.refused('recordEvent', { body }, 400, 'invalid_event')
    await graphIsAbsent('deep')
  })
})

describe('413 Content Too Large', () => {
  test('a payload of more than 65,536 bytes as JSON, counted in UTF-8', async () => {
    for (const payload of [sized(65_537), { text: '🦊'.repeat(16_384) }]) {
      const body = { ...good, graph_id: 'large', payload }
      const refused = await api.refused('recordEvent', { body }, 413, 'content_too_large')
      expect(refused.body.errors?.map((error) => error.path)).toEqual(['/body/payload'])
    }
    await graphIsAbsent('large')
  })
})

describe('422 Unprocessable Content', () => {
  test('a link to a memory that the graph does not hold; nothing is recorded', async () => {
    const { event_id: foreign } = (await record({ graph_id: 'foreign', payload: { text: 'x' } })).body
    await record({ graph_id: 'linked', payload: { text: 'y' } })
    const before = await everything('linked')
    for (const [field, targets, path] of [
      ['contradicts', [foreign], '/body/contradicts/0'],
      ['extends', ['fact:fresh', `mem_${'0'.repeat(26)}`], '/body/extends/1'],
      ['related_to', [foreign], '/body/related_to/0'],
      ['reinforces', [foreign], '/body/reinforces/0'],
      ['contradicts', ['fact:x', `${foreign}#/text`], '/body/contradicts/1'],
    ] as const) {
      const body = { ...good, graph_id: 'linked', [field]: targets }
      const refused = await api.refused('recordEvent', { body }, 422, 'unknown_memory')
      expect(refused.body.errors?.map((error) => error.path)).toEqual([path])
    }
    expect(await everything('linked')).toEqual(before)
    await api.refused(
      'recordEvent',
      { body: { ...good, graph_id: 'unborn', extends: [foreign] } },
      422,
      'unknown_memory',
    )
    await graphIsAbsent('unborn')
  })
})

describe('409 for an Idempotency-Key in use, and what else it promises', () =>
  describeOnce(api, 'recordEvent', (change) => ({ ...good, graph_id: 'once', ...change })))

describeRefusals(api, 'recordEvent', () => ({ body: { ...good, graph_id: 'locked' } }))
