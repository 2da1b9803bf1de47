import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { loadDemo } from '../../src/service/demo-graph.js'
import { useApi } from '../support/api.js'
import { eventLines, NDJSON, exportOf as written } from '../support/ndjson.js'
import { describeRefusals } from '../support/refusals.js'

const api = useApi(async (it) => {
  await loadDemo(it.server.store)
  const again = { graph_id: 'demo', event_kind: 'fact', payload: { text: 'x' } }
  await it.ok('recordEvent', { body: again }, 201)
  await it.ok('recordEvent', { body: { ...again, extends: ['a:b'] } }, 200)
})

const into = (graph_id: string) => ({ path: { graph_id } })
const whole = async () => (await api.ok('exportGraph', into('demo'))).text
const exportOf = (lines: readonly string[], format = 3) => written(lines, format)
const absent = (graph_id: string) => api.refused('browseContexts', into(graph_id), 404, 'graph_not_found')

const id = (n: number) => `mem_01KJPZ6C3RS6ACV2ZX0000000${n}`
/** A line that says that the port is 8000 and so many. */
const event = (n: number, more: object = {}) => {
  const at = '2026-03-02T09:30:00.000Z'
  return JSON.stringify({
    event_kind: 'fact',
    payload: { text: `The API listens on port ${8000 + n}` },
    context_id: 'port:api',
    source: 'agent',
    timestamp: at,
    memory_id: id(n),
    recorded_at: at,
    times_seen: 1,
    ...more,
  })
}

describe('201: imported', () => {
  test('export → import → export is byte-equal but for the name, also after a restart', async () => {
    const text = await whole()
    const lines = eventLines(text)
    const memories = new Set(lines.map((line) => JSON.parse(line).memory_id)).size
    const { body } = await api.ok('importGraph', { ...into('restored'), body: text }, 201)
    expect(body).toEqual({ graph_id: 'restored', events: lines.length, memories })
    expect(memories).toBeLessThan(lines.length)
    const renamed = text.replace('"graph_id":"demo"', '"graph_id":"restored"')
    expect((await api.ok('exportGraph', into('restored'))).text).toBe(renamed)
    await api.server.restart()
    expect((await api.ok('exportGraph', into('restored'))).text).toBe(renamed)
  })

  test('it comes in pieces of any size', async () => {
    const text = await whole()
    const chunks = new ReadableStream({
      start(controller) {
        for (let i = 0; i < text.length; i += 97) controller.enqueue(Buffer.from(text.slice(i, i + 97)))
        controller.close()
      },
    })
    const init = {
      method: 'POST',
      body: chunks,
      duplex: 'half',
      headers: { 'Content-Type': NDJSON },
    } as const
    expect((await api.server.fetch('/v1/graphs/pieces/events', init)).status).toBe(201)
  })
})

describe('403 Forbidden', () => {
  test('C2: an event of a source that the key may not record as, by its line; nothing is imported', async () => {
    const { headers } = await api.server.key({ scopes: ['write'], sources: ['agent'] })
    const body = exportOf([event(1, { place: 1 }), event(2, { place: 2, source: 'validator' })])
    const call = { ...into('sources'), body, headers: { ...headers, 'Content-Type': NDJSON } }
    const answer = await api.refused('importGraph', call, 403, 'source_forbidden')
    expect(answer.body.errors?.[0]?.path).toBe('/body/3/source')
    await absent('sources')
    await api.ok('importGraph', { ...call, body: exportOf([event(1, { place: 1 })]) }, 201)
  })
})

describe('403: which key recorded something', () => {
  test('is taken from those who hold admin, and from no one else; nothing is imported', async () => {
    const text = await whole()
    expect(text).toContain('"recorded_by":"root"')
    const { headers } = await api.server.key({ scopes: ['write'] })
    const line = 1 + text.split('\n').findIndex((it) => it.includes('recorded_by'))
    const refused = await api.refused(
      'importGraph',
      { ...into('keys'), body: text, headers },
      403,
      'source_forbidden',
    )
    expect(refused.body.errors?.[0]?.path).toBe(`/body/${line}/recorded_by`)
    await absent('keys')
    const reader = await api.server.key({ scopes: ['read'] })
    const without = (await api.ok('exportGraph', { ...into('demo'), headers: reader.headers })).text
    await api.ok('importGraph', { ...into('keys'), body: without, headers }, 201)
    expect((await api.ok('exportGraph', into('keys'))).text).not.toContain('recorded_by')
  })
})

describe('401 Unauthorized', () => {
  test('C12: a key that was revoked before the end of its import; nothing is imported', async () => {
    const { key_id, secret } = await api.server.key({ scopes: ['write', 'admin'] })
    const text = await whole()
    const half = text.slice(0, text.length / 2)
    const socket = connect(api.server.port, '127.0.0.1')
    const answered = new Promise<string>((resolve) => {
      let all = ''
      socket.on('data', (chunk) => {
        all += chunk
      })
      socket.on('close', () => resolve(all))
    })
    socket.write(
      `POST /v1/graphs/revoked/events HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${secret}\r\nContent-Type: ${NDJSON}\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${half}`,
    )
    await new Promise((resolve) => setTimeout(resolve, 200))
    await api.ok('revokeKey', { path: { key_id } }, 204)
    socket.write(text.slice(half.length))
    expect(await answered).toMatch(/^HTTP\/1\.1 401 /)
    await absent('revoked')
  })
})

describe('400 Bad Request', () => {
  const AHEAD = '9999-12-31T23:59:59.999Z'
  const LAST = `mem_7${'Z'.repeat(25)}`

  test('the part of an export after a place is not a graph, and the sentence says what to do', async () => {
    const { text } = await api.ok('exportGraph', { ...into('demo'), query: { after: 1 } })
    const { body } = await api.refused('importGraph', { ...into('part'), body: text }, 400, 'invalid_import')
    expect(body.detail).toContain(
      'the part of an export after place 1, not a whole graph. Export it without after',
    )
    expect(body.errors?.[0]?.path).toBe('/body/1/after')
    await absent('part')
  })

  test('nothing that ends before it began', async () => {
    const event = {
      graph_id: 'ends',
      event_kind: 'fact',
      payload: { text: 'x' },
      valid_until: '9999-01-01T00:00:00Z',
    }
    await api.ok('recordEvent', { body: event }, 201)
    const { text } = await api.ok('exportGraph', into('ends'))
    await api.ok('importGraph', { ...into('ends_again'), body: text }, 201)
    expect(eventLines((await api.ok('exportGraph', into('ends_again'))).text)).toEqual(eventLines(text))
    const begins = { ...event, graph_id: 'begins', valid_from: '9998-01-01', valid_until: '9998-12-31' }
    await api.ok('recordEvent', { body: begins }, 201)
    const later = eventLines((await api.ok('exportGraph', into('begins'))).text)
    expect(later[0]).toContain(
      '"valid_from":"9998-01-01T00:00:00.000Z","valid_until":"9999-01-01T00:00:00.000Z"',
    )
    await api.ok('importGraph', { ...into('begins_again'), body: exportOf(later) }, 201)
    expect(eventLines((await api.ok('exportGraph', into('begins_again'))).text)).toEqual(later)
    const early = later.map((line) => line.replace('9998-01-01', '9999-01-01'))
    await api.refused('importGraph', { ...into('part'), body: exportOf(early) }, 400, 'invalid_import')
    const spoilt = eventLines(text).map((line) => line.replace('9999-01-01', '1999-01-01'))
    const { body } = await api.refused(
      'importGraph',
      { ...into('part'), body: exportOf(spoilt) },
      400,
      'invalid_import',
    )
    expect(body.errors?.[0]?.path).toBe('/body/2/valid_until')
  })

  test('the sentence leaves ids and field names as they are', async () => {
    const detailOf = async (times_seen: number) => {
      const body = exportOf([event(1, { place: 1 }), event(1, { place: 2, times_seen })])
      return (await api.refused('importGraph', { ...into('spoilt'), body }, 400, 'invalid_import')).body
        .detail
    }
    expect(await detailOf(1)).toMatch(/^Line 3: Its id mem_\w+ was recorded above; /)
    expect(await detailOf(3)).toBe('Line 3: Its times_seen is 3 where 2 comes next. Nothing was imported.')
  })

  const spoilt: [string, (text: string) => string, RegExp][] = [
    ['half of it', (text) => text.slice(0, text.length / 2), /^\/body\/\d+$/],
    ['a changed letter', (text) => text.replace('jest', 'Jest'), /\/sha256$/],
    ['a field given twice', () => exportOf(['{"payload":{"v":1,"v":2}}']), /^\/body\/2\/payload\/v$/],
    [
      'a context named ..',
      () => exportOf([event(1, { context_id: 'port:..', place: 1 })]),
      /^\/body\/2\/context_id$/,
    ],
    [
      'a link to one',
      () => exportOf([event(1, { related_to: ['..:a'], place: 1 })]),
      /^\/body\/2\/related_to\/0$/,
    ],
    [
      'a time in the future',
      () => exportOf([event(1, { place: 1, recorded_at: AHEAD })]),
      /\/2\/recorded_at$/,
    ],
    ['an id from the future', () => exportOf([event(1, { place: 1, memory_id: LAST })]), /\/2\/memory_id$/],
  ]

  test.each(spoilt)('%s: the error names the line, and nothing is imported', async (_what, spoil, path) => {
    const body = spoil(await whole())
    const answer = await api.refused('importGraph', { ...into('spoilt'), body }, 400, 'invalid_import')
    expect(answer.body.errors?.[0]?.path).toMatch(path)
    await absent('spoilt')
  })

  const supersedes = { by: id(2), against: id(1), effect: 'supersedes' }
  const honest = { bears: [[id(1)]], opposes: [supersedes] }
  const decided = (changes: object, format?: number) => {
    const lines = [event(1, { place: 1 }), event(2, { contradicts: ['port:api'], place: 2, ...changes })]
    return exportOf(lines, format)
  }

  test.each<[string, object]>([
    ['left out', {}],
    ['an effect that does not follow', { ...honest, opposes: [{ ...supersedes, effect: 'disputes' }] }],
    ['one that goes the other way', { ...honest, opposes: [{ ...supersedes, by: id(1), against: id(2) }] }],
    ['a link that bears on itself', { bears: [[id(2)]] }],
    ['more links than there are', { ...honest, bears: [[id(1)], []] }],
    ['an effect that is none', { ...honest, opposes: [{ ...supersedes, effect: 'x' }] }],
  ])('decisions that were tampered with: %s', async (_what, forged) => {
    const body = decided({ decided: forged })
    const answer = await api.refused('importGraph', { ...into('forged'), body }, 400, 'invalid_import')
    expect(answer.body.errors?.[0]?.path).toMatch(/^\/body\/3(\/|$)/)
    await absent('forged')
  })

  test('decisions as the rules made them are taken, those of version 0.2 as well', async () => {
    for (const format of [2, 3]) {
      const body = decided({ decided: honest }, format)
      await api.ok('importGraph', { ...into(`honest_${format}`), body }, 201)
    }
  })

  test('place and decided are not of format 1; formats 2 and 3 have a place, which rises', async () => {
    for (const [lines, format, path] of [
      [[event(1, { place: 1 })], 1, '/body/2/place'],
      [[event(1, { decided: {} })], 1, '/body/2/place'],
      ...([2, 3] as const).flatMap(
        (format) =>
          [
            [[event(1)], format, '/body/2/place'],
            [[event(1, { place: 2 }), event(2, { place: 2 })], format, '/body/3'],
            [[event(1, { place: 0 })], format, '/body/2/place'],
          ] as const,
      ),
    ] as const) {
      const body = exportOf(lines, format)
      const answer = await api.refused('importGraph', { ...into('misplaced'), body }, 400, 'invalid_import')
      expect(answer.body.errors?.[0]?.path).toBe(path)
    }
    await absent('misplaced')
  })

  test('C2: what the service decides cannot be sent with an event', async () => {
    const [line = ''] = eventLines(await whole())
    for (const field of ['seq', 'confidence', 'status', 'superseded_by', 'text', 'graph_id']) {
      const body = exportOf([line.replace('{', `{"${field}":1,`)])
      const { body: problem } = await api.refused(
        'importGraph',
        { ...into('spoilt'), body },
        400,
        'invalid_import',
      )
      expect(problem.errors?.[0]?.path).toBe(`/body/2/${field}`)
    }
  })

  test('a connection that ends before the body does imports nothing', async () => {
    const text = await whole()
    await new Promise<void>((resolve) => {
      const socket = connect(api.server.port, '127.0.0.1', () => {
        socket.write(
          `POST /v1/graphs/torn/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${api.server.secret}\r\nContent-Type: ${NDJSON}\r\nContent-Length: ${Buffer.byteLength(text) + 1}\r\n\r\n${text}`,
          () => setTimeout(() => socket.destroy(), 100),
        )
      })
      socket.on('close', () => resolve())
    })
    await new Promise((resolve) => setTimeout(resolve, 100))
    await absent('torn')
    await api.ok('importGraph', { ...into('torn'), body: text }, 201)
  })
})

describe('409 Conflict', () => {
  test('a graph that exists, which stays as it was', async () => {
    const text = await whole()
    await api.refused(
      'importGraph',
      { ...into('demo'), body: exportOf(eventLines(text).slice(0, 1)) },
      409,
      'graph_exists',
    )
    expect(await whole()).toBe(text)
  })
})

describe('413 Content Too Large', () => {
  test('a body that says it is too large is refused before it is sent', async () => {
    const text = await new Promise<string>((resolve) => {
      const socket = connect(api.server.port, '127.0.0.1', () =>
        socket.write(
          `POST /v1/graphs/large/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${api.server.secret}\r\nContent-Type: ${NDJSON}\r\nContent-Length: 17179869185\r\n\r\n`,
        ),
      )
      socket.once('data', (data) => {
        resolve(data.toString())
        socket.destroy()
      })
    })
    expect(text).toMatch(/^HTTP\/1\.1 413 /)
  })
})

describe('415 Unsupported Media Type', () => {
  test('anything but NDJSON in UTF-8, uncompressed', async () => {
    const body = await whole()
    for (const type of ['application/json', 'text/plain', `${NDJSON}; charset=latin1`, ''])
      await api.refused(
        'importGraph',
        { ...into('x'), body, headers: { 'Content-Type': type } },
        415,
        'unsupported_media_type',
      )
    const zipped = { 'Content-Type': NDJSON, 'Content-Encoding': 'gzip' }
    await api.refused('importGraph', { ...into('x'), body, headers: zipped }, 415, 'unsupported_media_type')
    await absent('x')
  })
})

describeRefusals(api, 'importGraph', async () => ({ ...into('locked'), body: await whole() }))
