import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MAX_DEPTH } from '../../../src/domain/events/json-mistakes.js'
import { inTurns } from '../../../src/http/steps/body.js'
import { parseJson, parseLongJson } from '../../../src/http/steps/parse-json.js'
import { expectProblem } from '../../support/problem.js'
import { parseAnswer } from '../../support/raw.js'
import { startTestServer, type TestServer } from '../../support/server.js'
import { PROTOTYPE_NAMES } from '../../support/words.js'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

const MIB = 1024 * 1024
const event = (payload: string) => `{"graph_id":"demo","event_kind":"fact","payload":${payload}}`
const post = (body: string | Buffer, path = '/v1/events') =>
  server.fetch(path, { method: 'POST', body, headers: { 'Content-Type': 'application/json' } })

describe('B6: 413 before all is read', () => {
  test('a body that says it is too large is refused before it is sent', async () => {
    const { answer } = await pour(`Content-Length: ${100 * MIB}`, 0)
    expect(answer.status).toBe(413)
    expect(JSON.parse(answer.body).errors[0].path).toBe('/body')
    expect(answer.headers['connection']).toBe('close')
  })

  test('100 MB in chunks are refused on the way', async () => {
    const before = process.memoryUsage().rss
    const { answer, sent } = await pour('Transfer-Encoding: chunked', 100 * MIB)
    expect(answer.status).toBe(413)
    expect(sent).toBeLessThan(20 * MIB)
    expect(process.memoryUsage().rss - before).toBeLessThan(80 * MIB)
  })

  test('a gzip bomb is not unpacked', async () => {
    const bomb = gzipSync(Buffer.alloc(50 * MIB))
    const headers = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' }
    await expectProblem(await server.fetch('/v1/events', { method: 'POST', body: bomb, headers }), 415)
  })

  test('C3: one byte more than the limit, and the limit itself', async () => {
    const fitting = event(`{"data":"x"}${' '.repeat(MIB - event('{"data":"x"}').length)}`)
    expect(Buffer.byteLength(fitting)).toBe(MIB)
    expect((await post(fitting)).status).toBeLessThan(300)
    await expectProblem(await post(`${fitting} `), 413, 'content_too_large')
  })

  test('the batch takes more, as the contract says', async () => {
    const data = 'x'.repeat(60_000)
    const events = Array.from({ length: 40 }, (_, i) => ({ event_kind: 'fact', payload: { data, i } }))
    expect((await server.fetch('/v1/events/batch', { json: { graph_id: 'big', events } })).status).toBe(201)
  })
})

describe('C4: bombs', () => {
  const nested = (depth: number) => event(`{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`)

  test.each([MAX_DEPTH - 1, MAX_DEPTH, 50_000, 400_000])('%i levels', async (depth) => {
    const problem = await expectProblem(await post(nested(depth)), 400)
    expect(problem.errors?.[0]?.path).toMatch(/^\/body/)
  })

  test('levels are counted outside strings', () => {
    const text = `{"a":"${'['.repeat(100)}\\"${'{'.repeat(100)}"}`
    expect(parseJson(Buffer.from(text))).toEqual(JSON.parse(text))
  })

  test('100,000 keys, a key of 1 MB, 100,000 unknown fields', async () => {
    const keys = Array.from({ length: 100_000 }, (_, i) => `"${i}":1`).join(',')
    for (const body of [event(`{${keys}}`), `{"${'k'.repeat(MIB - 100)}":1}`, `{${keys}}`])
      expect((await expectProblem(await post(body.slice(0, MIB)), 400)).detail.length).toBeLessThan(4097)
  })
})

describe('long bodies', () => {
  const batch = (last: string) => {
    const events = Array.from(
      { length: 250 },
      (_, i) => `{"event_kind":"fact","payload":{"data":"${i} ${'x'.repeat(60_000)}"}}`,
    )
    return Buffer.from(`{"graph_id":"big","events":[${[...events, last].join(',')}]}`)
  }
  const parse = (bytes: Buffer) => inTurns(parseLongJson(bytes))

  test('are parsed in turns, to the same value', async () => {
    const bytes = batch('{"payload":{"a":[1,2.5e3,null,"\\u00e9 \\"q\\""]}}')
    expect(await parse(bytes)).toEqual(parseJson(bytes))
  })

  test.each([
    ['{"a":1,"b":{"c":1,"c":2}}', '/body/events/250/b/c'],
    ['{"a":"x\\u0000y"}', '/body/events/250/a'],
    ['{"a":1e999}', '/body/events/250/a'],
    [`{"a":${'['.repeat(70)}${']'.repeat(70)}}`, '/body'],
    ['{"a":1,}', '/body'],
    ['{"a":1}]', '/body'],
  ])('say what is wrong and where: %s', async (last, path) => {
    const refusal = await parse(batch(last)).catch((error: unknown) => error)
    expect(refusal).toMatchObject({ errors: [{ path }] })
  })
})

describe('bodies that are not what they should be', () => {
  test.each([
    ['', '/body'],
    ['{', '/body'],
    ['nonsense', '/body'],
    ['{"a":1}x', '/body'],
    ["{'a':1}", '/body'],
    ['NaN', '/body'],
    ['undefined', '/body'],
    ['{"a":1,}', '/body'],
    ['{} {}', '/body'],
    [' ', '/body'],
    ['{"a":1,"a":1}', '/body/a'],
    ['{"a":[{},{"b/c":{"x":1},"\\u0062/c":2}]}', '/body/a/1/b~1c'],
    ['{"__proto__":1,"x":"{\\"a\\":1}","__proto__":2}', '/body/__proto__'],
    ['null', '/body'],
    ['[]', '/body'],
    ['"text"', '/body'],
    ['{}', '/body/graph_id'],
    [event('"text"'), '/body/payload'],
    [event('{"data":1}').replace('fact', 'guess'), '/body/event_kind'],
    [event('{"data":1}').replace('"demo"', '5'), '/body/graph_id'],
  ])('400: %s names %s', async (body, path) => {
    expect((await expectProblem(await post(body), 400)).errors?.[0]?.path).toBe(path)
  })

  test('invalid UTF-8', async () => {
    for (const bytes of [[0xff], [0xc3, 0x28], [0xed, 0xa0, 0x80], [0xc0, 0x80]]) {
      const [before = '', after = ''] = event('{"data":"@"}').split('@')
      const body = Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(after)])
      await expectProblem(await post(body), 400, 'invalid_json')
    }
  })

  test('a byte order mark is no part of the text', async () => {
    expect((await post(Buffer.from(`\ufeff${event('{"data":"bom"}')}`))).status).toBe(201)
  })
})

describe('C8: what no store should have to keep is refused with its place', () => {
  test.each([
    ['{"a":"x\\u0000"}', '/body/payload/a'],
    ['{"a":["b","\\ud800"]}', '/body/payload/a/1'],
    ['{"a":{"b":"\\udc00x"}}', '/body/payload/a/b'],
    ['{"x\\u0000y":1}', '/body/payload'],
    ['{"a":1e999}', '/body/payload/a'],
    ['{"a":-1E+400}', '/body/payload/a'],
    [`{"a":${'9'.repeat(400)}}`, '/body/payload/a'],
  ])('400: %s', async (payload, path) => {
    const problem = await expectProblem(await post(event(payload)), 400, 'invalid_request')
    expect(problem.errors?.[0]?.path).toBe(path)
  })

  test.each([
    ['1234567890123456789', 'must not change, and would come back as 1234567890123456800; send it as text'],
    ['9007199254740993', 'must not change, and would come back as 9007199254740992; send it as text'],
    ['1e-400', 'must be a number that fits a double; send it as text'],
  ])('400: %s, alone, in a batch and in a long one', async (number, message) => {
    const batch = (before: number) =>
      `{"graph_id":"demo","events":[${'{"event_kind":"fact","payload":{"a":"x"}},'.repeat(before)}{"event_kind":"fact","payload":{"ids":[7,${number}]}}]}`
    const refused = async (body: string, path: string) => {
      const to = path === '/body/payload/id' ? '/v1/events' : '/v1/events/batch'
      const problem = await expectProblem(await post(body, to), 400, 'invalid_request')
      expect(problem.errors).toEqual([{ path, message }])
    }
    await refused(event(`{"id":${number}}`), '/body/payload/id')
    await refused(batch(2), '/body/events/2/payload/ids/1')
    await refused(batch(9_000), '/body/events/9000/payload/ids/1')
  })

  test('a hook may report any number: it is not kept', async () => {
    const body =
      '{"hook_event_name":"Stop","session_id":"s","stop_hook_active":false,"ns":1234567890123456789}'
    expect((await post(body, '/hooks/demo/claude-code')).status).toBeLessThan(300)
  })

  test('whole surrogate pairs, other escapes and large numbers are kept as they are', async () => {
    const payload = {
      emoji: '\ud83e\udd8a',
      text: 'd\u0001\u00e9\n',
      number: 1e300,
      digits: 123456789012345680000,
    }
    const escaped = JSON.stringify(payload).replace('🦊', '\\uD83E\\uDD8A')
    const response = await post(event(escaped))
    expect(response.status).toBe(201)
    const { event_id: id } = (await response.json()) as { event_id: string }
    expect((await server.call(`/v1/memories/demo/${id}`)).body['payload']).toEqual(payload)
  })
})

describe('C5: names of Object.prototype are ordinary names', () => {
  test.each(PROTOTYPE_NAMES)('%s as graph, type, name, payload key and filter key', async (name) => {
    const body = `{"graph_id":"${name}","event_kind":"fact","context_id":"${name}:${name}","payload":{"${name}":{"${name}":"polluted"},"data":"x"},"related_to":["${name}:other"]}`
    const response = await post(body)
    expect(response.status).toBe(201)
    const { event_id: id } = (await response.json()) as { event_id: string }
    const memory = await (await server.fetch(`/v1/memories/${name}/${id}`)).text()
    expect(memory).toContain(`"payload":{"${name}":{"${name}":"polluted"},"data":"x"}`)
    const folded = name.toLowerCase()
    const page = await server.call(`/v1/contexts/${name}/${name}`)
    expect(page.body['total']).toBe(2)
    expect(page.body['contexts']).toContainEqual(
      expect.objectContaining({
        context_id: `${folded}:${folded}`,
        context_type: folded,
        context_name: folded,
      }),
    )
    const types = await server.call(`/v1/contexts/${name}`)
    expect(types.body['context_types']).toEqual([{ context_type: folded, count: 2 }])
    expect((await server.call(`/v1/contexts/${name}?q=${name}`)).body['total']).toBe(2)
    const context = `/v1/contexts/${name}/${name}/${name}`
    expect((await server.call(context)).body).toMatchObject({ context_id: `${folded}:${folded}`, total: 1 })
    for (const links of ['relationships', 'neighbourhood'])
      expect((await server.call(`${context}/${links}`)).body['relationships']).toHaveLength(1)
    const filter = `{"graph_id":"${name}","query":"data polluted","context_types":{"${name}":["${name}"]},"format":"json"}`
    const found = await server.call('/v1/memories', {
      method: 'POST',
      body: filter,
      headers: { 'Content-Type': 'application/json' },
    })
    expect(found.body['items']).toMatchObject([{ memory_id: id, context_id: `${folded}:${folded}` }])
    expect((await post(body)).status).toBe(200)
    const batch = `{"graph_id":"${name}","events":[${body.replace(`"graph_id":"${name}",`, '')}]}`
    expect((await post(batch, '/v1/events/batch')).status).toBe(201)
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
    expect(Object.keys(Object.prototype)).toEqual([])
  })

  test('__proto__ in a payload is data, also after a restart', async () => {
    const response = await post(
      '{"graph_id":"proto","event_kind":"fact","payload":{"__proto__":{"a":1},"b":2}}',
    )
    const { event_id: id } = (await response.json()) as { event_id: string }
    const read = async () => (await server.fetch(`/v1/memories/proto/${id}`)).text()
    expect(await read()).toContain('"payload":{"__proto__":{"a":1},"b":2}')
    await server.restart()
    expect(await read()).toContain('"payload":{"__proto__":{"a":1},"b":2}')
  })
})

/** Writes a body of zeros for as long as the server takes it; `sent` is how much until the answer came. */
function pour(header: string, bytes: number) {
  const head = `POST /v1/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${server.secret}\r\nContent-Type: application/json\r\n${header}\r\n\r\n`
  const block = Buffer.alloc(65_536, 0x30)
  const chunk = Buffer.concat([Buffer.from('10000\r\n'), block, Buffer.from('\r\n')])
  return new Promise<{ answer: ReturnType<typeof parseAnswer>; sent: number }>((resolve) => {
    const socket = connect(server.port, '127.0.0.1')
    let text = ''
    let sent = 0
    let sentBefore = 0
    const more = () => {
      while (sent < bytes && socket.writable) {
        sent += block.length
        if (!socket.write(chunk)) break
      }
    }
    socket.on('data', (data) => {
      if (text === '') sentBefore = sent
      text += data.toString('latin1')
    })
    socket.on('drain', more)
    socket.on('error', () => {})
    socket.on('close', () => resolve({ answer: parseAnswer(text), sent: sentBefore }))
    socket.write(head)
    more()
  })
}
