import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../support/folder.js'
import { type Program, startProgram } from '../../support/program.js'
import { raw } from '../../support/raw.js'

const SECRET = 'a-secret-of-more-than-32-characters'
const FORGED = '{"level":30,"route":"forged","status":200}'
/** What would end a line, or command the terminal that shows it: CR LF, LF, ESC, U+2028, NEL, NUL. */
const BREAKS = ['\r\n', '\n', '\x1b[2J', '\u2028', '\x85', '\0']

/** One request for each place. As bytes, so that what a client library would refuse to send is sent. */
const PLACES: readonly (readonly [string, (text: string) => string])[] = [
  ['the request id', (text) => get('/livez', `X-Request-Id: a${text}\r\n`)],
  ['the path', (text) => get(`/v1/contexts/a${text}`)],
  ['the path, encoded', (text) => get(`/v1/contexts/${encodeURIComponent(text)}/x`)],
  ['the query', (text) => get(`/v1/contexts/g?q=a${text}`)],
  [
    'the query, encoded',
    (text) => get(`/v1/contexts/g?${encodeURIComponent(text)}=${encodeURIComponent(text)}`),
  ],
  ['a header', (text) => get('/livez', `User-Agent: a${text}\r\nReferer: ${text}\r\n`)],
  ['the method', (text) => `GE${text}T /livez HTTP/1.1\r\nHost: localhost\r\n\r\n`],
  ['the secret', (text) => get('/v1/graphs', '', `${SECRET}${text}`)],
  [
    'names in a body',
    (text) =>
      post('/v1/events', {
        graph_id: 'g',
        event_kind: 'fact',
        context_id: `skill:a${text}`,
        payload: { [text]: text },
      }),
  ],
  ['the graph in a body', (text) => post('/v1/events', { graph_id: text, event_kind: text, payload: {} })],
  ['the name of a key', (text) => post('/v1/keys', { name: `k${text}`, scopes: ['read'], graphs: [text] })],
  ['a body that is no JSON', (text) => post('/v1/events', text)],
  [
    'the name of what is erased',
    (text) => get(`/v1/contexts/g/skill/${encodeURIComponent(`a${text}`)}`, '', SECRET, 'DELETE'),
  ],
]

function get(target: string, headers = '', secret = SECRET, method = 'GET'): string {
  return utf8(
    `${method} ${target} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${secret}\r\n${headers}Connection: close\r\n\r\n`,
  )
}

function post(path: string, body: object | string): string {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const length = `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n`
  return get(path, length, SECRET, 'POST') + utf8(text)
}

/** Each byte of the text in UTF-8 as a character, which is how `raw` takes it. */
function utf8(text: string): string {
  return Buffer.from(text).toString('latin1')
}

describe('C9: nobody can write into the log', () => {
  const folder = temporaryFolder()
  let service: Program
  let written = ''
  beforeAll(async () => {
    service = startProgram(['--port', '0', '--data', folder], { env: { LOREGRAPH_SECRET: SECRET } })
    service.child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      written += chunk
    })
    await service.url
  })
  afterAll(() => service.stop('SIGKILL'))

  test('CR LF, ESC, U+2028 and the like wherever a caller can put them: one line a request, each of them JSON', async () => {
    const port = Number(new URL(await service.url).port)
    let requests = 0
    for (const [place, request] of PLACES)
      for (const text of BREAKS) {
        const { text: answers } = await raw(port, request(`${text}${FORGED}`), 50)
        // What stands behind a line break may look like a second request to the parser, and is refused as one.
        const count = answers.match(/^HTTP\/1\.1 \d/gm)?.length ?? 0
        expect(count, `${place}: ${JSON.stringify(text)}`).toBeGreaterThan(0)
        requests += count
      }
    expect((await service.stop()).code).toBe(0)
    const lines = written.split('\n').slice(0, -1)
    const parsed = lines.map((line): Record<string, unknown> => JSON.parse(line))
    const access = parsed.filter((line) => 'route' in line)
    expect(access).toHaveLength(requests)
    expect(access.filter(({ route }) => route === 'forged')).toEqual([])
    expect(access.filter(({ status }) => Number(status) >= 500)).toEqual([])
    expect(lines.filter((line) => hasControls(line))).toEqual([])
    // No idle threat: some of it was recorded.
    expect(access.filter(({ status }) => status === 201).length).toBeGreaterThan(0)
    expect(written).not.toContain(SECRET)
  })
})

/** Nothing that a terminal obeys or that some readers take for the end of a line. */
function hasControls(line: string): boolean {
  return /[\p{Cc}\p{Zl}\p{Zp}]/u.test(line)
}
