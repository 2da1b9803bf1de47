import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { loadDemo } from '../../src/service/demo-graph.js'
import { useApi } from '../support/api.js'
import { eventLines, exportOf, NDJSON } from '../support/ndjson.js'
import { describeRefusals } from '../support/refusals.js'

const api = useApi(async (it) => {
  await loadDemo(it.server.store)
  const again = { graph_id: 'demo', event_kind: 'fact', payload: { text: 'x' } }
  await it.ok('recordEvent', { body: again }, 201)
  await it.ok('recordEvent', { body: { ...again, extends: ['a:b'] } }, 200)
})

const into = (graph_id: string) => ({ path: { graph_id } })
const whole = async () => (await api.ok('exportGraph', into('demo'))).text
let count = 0
const absent = (graph_id: string) => api.refused('browseContexts', into(graph_id), 404, 'graph_not_found')

describe('201: imported', () => {
  test('export → import → export is byte-equal but for the name, also after a restart', async () => {
    const text = await whole()
    const events = eventLines(text).length
    const { body } = await api.ok('importGraph', { ...into('restored'), body: text }, 201)
    expect(body).toEqual({ graph_id: 'restored', events, memories: events - 1 })
    const renamed = text.replace('"graph_id":"demo"', '"graph_id":"restored"')
    expect((await api.ok('exportGraph', into('restored'))).text).toBe(renamed)
    await api.server.restart()
    expect((await api.ok('exportGraph', into('restored'))).text).toBe(renamed)
  })

  test('the graph answers as the first one does', async () => {
    await api.ok('importGraph', { ...into('twin'), body: await whole() }, 201)
    const ask = async (graph_id: string) =>
      (
        await api.ok('generateInsight', {
          body: { graph_id, task: 'Which test runner do we use?', explain: true },
        })
      ).text
    expect(await ask('twin')).toBe(await ask('demo'))
  })

  test('what is recorded later goes on from it', async () => {
    await api.ok('importGraph', { ...into('more'), body: await whole() }, 201)
    const { body } = await api.ok(
      'recordEvent',
      { body: { graph_id: 'more', event_kind: 'fact', payload: { text: 'x' } } },
      200,
    )
    expect(
      (await api.ok('getMemory', { path: { graph_id: 'more', memory_id: body.event_id } })).body.times_seen,
    ).toBe(3)
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

describe('400 Bad Request', () => {
  const spoilt: [string, (text: string) => string, RegExp][] = [
    ['nothing', () => '', /^\/body\/1$/],
    ['no header', (text) => text.slice(text.indexOf('\n') + 1), /^\/body\/1$/],
    ['no last line', (text) => `${text.split('\n').slice(0, -2).join('\n')}\n`, /^\/body\/\d+$/],
    ['half of it', (text) => text.slice(0, text.length / 2), /^\/body\/\d+$/],
    ['a changed letter', (text) => text.replace('jest', 'Jest'), /\/sha256$/],
    ['a line left out', (text) => text.replace(/\n.*\n/, '\n'), /\/count$/],
    ['a field too many', (text) => exportOf([...eventLines(text), '{"seq":1}']), /^\/body\/\d+/],
    ['an id twice', (text) => exportOf([...eventLines(text), eventLines(text)[0] ?? '']), /^\/body\/\d+/],
    ['lines in another order', (text) => exportOf(eventLines(text).reverse()), /^\/body\/\d+/],
    ['JSON', () => '{"graph_id":"x"}', /^\/body\/1$/],
  ]

  test.each(spoilt)('%s: the error names the line, and nothing is imported', async (_what, spoil, path) => {
    const body = spoil(await whole())
    const answer = await api.refused('importGraph', { ...into('spoilt'), body }, 400, 'invalid_import')
    expect(answer.body.errors?.[0]?.path).toMatch(path)
    await absent('spoilt')
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
          `POST /v1/graphs/torn/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${api.server.secret}\r\nContent-Type: ${NDJSON}\r\nContent-Length: ${text.length + 1}\r\n\r\n${text}`,
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

  test('of two at once into one graph, one wins', async () => {
    const body = await whole()
    const answers = await Promise.all([1, 2, 3].map(() => api.call('importGraph', { ...into('race'), body })))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409])
    expect(eventLines((await api.ok('exportGraph', into('race'))).text)).toEqual(eventLines(body))
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

describeRefusals(
  api,
  'importGraph',
  async () => ({ ...into('locked'), body: await whole() }),
  async () => ({ ...into(`open_${count++}`), body: await whole() }),
)
