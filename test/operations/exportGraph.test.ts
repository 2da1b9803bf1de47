import { readdir, readlink } from 'node:fs/promises'
import { connect } from 'node:net'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { loadDemo } from '../../src/service/demo-graph.js'
import { useApi } from '../support/api.js'
import { eventLines } from '../support/ndjson.js'
import { describeRefusals } from '../support/refusals.js'

const api = useApi(async (it) => {
  await loadDemo(it.server.store)
})

const demo = { path: { graph_id: 'demo' } }
const PATH = '/v1/graphs/demo/events'

describe('200: the graph, a line at a time', () => {
  test('a header, an event a line in order of recording, and their count and hash', async () => {
    const { text, headers } = await api.ok('exportGraph', demo)
    const [header = '', first = ''] = text.split('\n')
    expect(Object.entries(JSON.parse(header))).toEqual([
      ['loregraph', 3],
      ['graph_id', 'demo'],
      ['exported_at', expect.stringMatching(/Z$/)],
    ])
    expect(Object.keys(JSON.parse(first))).toEqual(
      'event_kind payload context_id source timestamp memory_id recorded_at times_seen place'.split(' '),
    )
    const events = eventLines(text).map((line): { memory_id: string; place: number } => JSON.parse(line))
    const ids = [...new Set(events.map(({ memory_id }) => memory_id))]
    expect(ids).toEqual([...ids].sort())
    expect(events.map(({ place }) => place)).toEqual(events.map((_, i) => i + 1))
    expect(headers['etag']).toBeUndefined()
    expect(headers['content-length']).toBeUndefined()
    expect(headers['cache-control']).toBe('no-store')
  })

  test('a field is linked to as it was stated, and what was decided of it is with it; so is what was not sure', async () => {
    const graph_id = 'fields'
    const at = (price: number, more: object = {}) =>
      api.record({ graph_id, context_id: 'item:a', payload: { item: 'a', price }, ...more })
    const one = await at(1)
    const two = await at(2, { contradicts: [`${one}#/price`] })
    const lines = async () => {
      const { text } = await api.ok('exportGraph', { path: { graph_id } })
      return eventLines(text).map((line) => JSON.parse(line))
    }
    const field = { by: `${two}#/price`, against: `${one}#/price`, effect: 'supersedes' }
    expect((await lines())[1]).toMatchObject({
      contradicts: [`${one}#/price`],
      decided: { bears: [[`${one}#/price`]], opposes: [field] },
    })
    await at(3, { payload: { text: 'It is cheap' }, contradicts: ['item:a'] })
    expect((await lines())[2]?.decided).toEqual({
      bears: [[]],
      against: ['item:a'],
      unresolved: [{ link: 0, candidates: expect.arrayContaining([one, two]) }],
    })
  })

  test('compressed when asked for', async () => {
    const { text } = await api.ok('exportGraph', demo)
    for (const [encoding, unpack] of [
      ['gzip', gunzipSync],
      ['br', brotliDecompressSync],
    ] as const) {
      const bytes = await rawBody(PATH, encoding)
      expect(unpack(bytes).toString()).toBe(text)
    }
  })

  test('HEAD has the headers alone', async () => {
    const response = await api.server.fetch(PATH, { method: 'HEAD' })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8')
    expect(await response.text()).toBe('')
    expect((await api.server.fetch('/v1/graphs/none/events', { method: 'HEAD' })).status).toBe(404)
  })

  test.runIf(process.platform === 'linux')(
    'HEAD leaves no file open, nor does a caller who goes away',
    async () => {
      const open = async () => {
        const names = await readdir('/proc/self/fd')
        const files = await Promise.all(
          names.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => '')),
        )
        return files.filter((file) => file.includes('/loregraph-')).sort()
      }
      const exporting = async () => (await open()).filter((file) => file.endsWith('/snapshot.json'))
      // What earlier tests asked for is closed by and by.
      await expect.poll(exporting).toEqual([])
      const before = await open()
      for (let i = 0; i < 5; i++) {
        await api.server.fetch(PATH, { method: 'HEAD' })
        await (await api.server.fetch(PATH)).body?.cancel()
        const leaving = new AbortController()
        const asked = api.server.fetch(PATH, { signal: leaving.signal })
        leaving.abort()
        await expect(asked).rejects.toThrow()
      }
      await expect.poll(open).toEqual(before)
    },
  )

  test('after a place: what came since, with its own count and hash, and a header that says so', async () => {
    const all = await api.ok('exportGraph', demo)
    const lines = eventLines(all.text)
    for (const after of [1, 3, lines.length]) {
      // The checker has counted and hashed it.
      const { text } = await api.ok('exportGraph', { ...demo, query: { after } })
      expect(eventLines(text)).toEqual(lines.slice(after))
      expect(JSON.parse(text.split('\n')[0] ?? '')).toMatchObject({ loregraph: 3, after })
    }
    expect((await api.ok('exportGraph', { ...demo, query: { after: 0 } })).text).toBe(all.text)
    const { text } = await api.ok('exportGraph', { ...demo, query: { after: 9_007_199_254_740_991 } })
    expect(eventLines(text)).toEqual([])
  })
})

describe('default', () => {
  test('406 for a caller that does not take lines', async () => {
    await api.refused(
      'exportGraph',
      { ...demo, headers: { Accept: 'application/json' } },
      406,
      'not_acceptable',
    )
    await api.ok('exportGraph', { ...demo, headers: { Accept: 'application/x-ndjson' } })
  })

  describe('default: an error on the way', () => {
    const broken = useApi(undefined, {
      handlers: {
        async exportGraph() {
          return {
            status: 200,
            body: (async function* () {
              yield '{"loregraph":1}\n'
              throw new Error('the disk is gone')
            })(),
          }
        },
      },
    })

    test('ends the connection without a last line, and the log says why', async () => {
      const text = await readToEnd(broken.server.port, PATH, broken.server.secret)
      expect(text).toContain('{"loregraph":1}')
      expect(text).not.toMatch(/sha256|disk/)
      // The end of a chunked body, which is missing.
      expect(text.endsWith('0\r\n\r\n')).toBe(false)
      // Written when the pipeline has ended, which may be after the connection has.
      await expect
        .poll(() => broken.server.lines)
        .toContainEqual(
          expect.objectContaining({
            level: 50,
            route: 'exportGraph',
            err: expect.objectContaining({ message: 'the disk is gone' }),
          }),
        )
      expect((await broken.server.fetch('/livez')).status).toBe(200)
    })
  })
})

describeRefusals(api, 'exportGraph', () => demo)

async function rawBody(path: string, encoding: string): Promise<Buffer> {
  const text = await readToEnd(api.server.port, path, api.server.secret, `Accept-Encoding: ${encoding}\r\n`)
  const at = text.indexOf('\r\n\r\n')
  expect(text.slice(0, at).toLowerCase()).toContain(`content-encoding: ${encoding}`)
  return unchunked(text.slice(at + 4))
}

function unchunked(text: string): Buffer {
  let rest = text
  let body = ''
  for (;;) {
    const end = rest.indexOf('\r\n')
    const size = Number.parseInt(rest.slice(0, end), 16)
    if (!(size > 0)) return Buffer.from(body, 'latin1')
    body += rest.slice(end + 2, end + 2 + size)
    rest = rest.slice(end + 4 + size)
  }
}

function readToEnd(port: number, path: string, secret: string, headers = ''): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(text))
    socket.write(
      `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${secret}\r\n${headers}Connection: close\r\n\r\n`,
    )
  })
}
