import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { command, type Ended } from '../support/command.js'
import { temporaryFolder } from '../support/folder.js'
import { commandOf, type Program, startProgram } from '../support/program.js'

// Each test starts several processes, which take their time where others are busy too.
vi.setConfig({ testTimeout: 120_000 })

const SECRET = 'a-secret-of-more-than-32-characters'
const root = temporaryFolder()
let service: Program
let url: string
/** The demo graph as the service exports it. */
let exported: string

beforeAll(async () => {
  const env = { LOREGRAPH_SECRET: SECRET }
  service = startProgram(['--demo', '--port', '0', '--data', join(root, 'served')], { env })
  url = await service.url
  exported = (await online(['export', 'demo'])).stdout
})
afterAll(() => service.stop())

type Run = (args: readonly string[], input?: string) => Promise<Ended>
const online: Run = (args, input = '') =>
  command(args, { env: { LOREGRAPH_URL: url, LOREGRAPH_SECRET: SECRET }, input })
const inFolder =
  (name: string): Run =>
  (args, input = '') =>
    command(args, { env: { LOREGRAPH_DATA: join(root, name) }, input })

describe('D17: export and import', () => {
  test('from service to folder to folder to service: the same bytes each time', async () => {
    const there = await inFolder('one')(['import', 'demo'], exported)
    expect(there).toEqual({
      code: 0,
      stdout: 'The graph demo was made of 66 events: 62 memories.\n',
      stderr: '',
    })
    const file = join(root, 'demo.ndjson')
    const out = await inFolder('one')(['export', 'demo', '--out', file])
    expect(out).toEqual({ code: 0, stdout: '', stderr: `The graph demo is in ${file}.\n` })
    expect(await readFile(file, 'utf8')).toBe(exported)
    expect((await stat(file)).mode & 0o077).toBe(0)
    const json = await inFolder('two')(['import', 'demo', file, '--json'])
    expect(JSON.parse(json.stdout)).toEqual({ graph_id: 'demo', events: 66, memories: 62 })
    const second = await inFolder('two')(['export', 'demo'])
    expect(second.stdout).toBe(exported)
    expect((await online(['import', 'restored', file])).code).toBe(0)
    const restored = (await online(['export', 'restored'])).stdout
    expect(restored).toBe(exported.replace('"graph_id":"demo"', '"graph_id":"restored"'))
  })

  test('--progress tells how far it is, in lines on stderr', async () => {
    const file = join(root, 'progress.ndjson')
    await writeFile(file, exported)
    const { stderr } = await inFolder('progress')(['import', 'demo', file, '--progress'])
    expect(stderr.trimEnd().split('\n').at(-1)).toMatch(
      /^Importing demo: 100 % 66 events, 0\.0 MB, \d+\.\d s$/,
    )
    const out = await inFolder('progress')(['export', 'demo', '--progress'])
    expect(out.stdout).toBe(exported)
    expect(out.stderr).toMatch(/Exporting demo: 66 events.*\n$/)
  })

  test('a reader that goes away, such as head, ends it quietly, and the folder is free again', async () => {
    const lines = Array.from({ length: 20_000 }, (_, i) => `Fact number ${i} is that ${'x'.repeat(100)}`)
    expect((await inFolder('pipe')(['import', 'long', '--format', 'facts'], lines.join('\n'))).code).toBe(0)
    const [program = '', ...args] = commandOf()
    const child = spawn(program, [...args, 'export', 'long'], {
      env: { PATH: process.env['PATH'], LOREGRAPH_DATA: join(root, 'pipe') },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let stderr = ''
    child.stderr.on('data', (chunk) => {
      stderr += chunk
    })
    await once(child.stdout, 'data')
    child.stdout.destroy()
    const [code] = await once(child, 'close')
    expect([code, stderr]).toEqual([0, ''])
    expect((await inFolder('pipe')(['verify'])).code).toBe(0)
  })
})

describe('bad input changes nothing', () => {
  const changed = (from: string | RegExp, to: string) => exported.replace(from, to)
  const BAD: readonly (readonly [string, () => string, RegExp])[] = [
    ['nothing at all', () => '', /^Line 1 is missing: there is nothing to import\./],
    ['an export cut within a line', () => exported.slice(0, exported.length / 2), /^Line \d+ /],
    ['a word that was changed', () => changed('vitest', 'jasmin'), /^Line 68: \/sha256 must be the hash/],
  ]

  test.each(BAD)('65: %s, in the folder', async (_name, input, sentence) => {
    const { code, stdout, stderr } = await inFolder('bad')(['import', 'g'], input())
    expect([code, stdout]).toEqual([65, ''])
    expect(stderr).toMatch(sentence)
    expect(stderr).toMatch(/Nothing was imported\.\n$/)
    expect(stderr.trimEnd().split('\n')).toHaveLength(1)
    expect((await inFolder('bad')(['export', 'g'])).code).toBe(66)
    const left = await readdir(join(root, 'bad', 'graphs'))
    expect(left).toEqual([])
  })

  test.each(BAD)('65: %s, over HTTP', async (_name, input, sentence) => {
    const { code, stdout, stderr } = await online(['import', 'g'], input())
    expect([code, stdout]).toEqual([65, ''])
    expect(stderr).toMatch(sentence)
    expect((await online(['export', 'g'])).code).toBe(66)
  })

  test.each([
    ['in the folder', inFolder('exists')],
    ['over HTTP', online],
  ])('73: a graph that is there already, %s', async (_name, run) => {
    await run(['demo'])
    const before = (await run(['export', 'demo'])).stdout
    const { code, stdout, stderr } = await run(['import', 'demo'], exported)
    expect([code, stdout]).toEqual([73, ''])
    expect(stderr).toBe('There is a graph demo already. Import under another name, or delete it first.\n')
    expect((await run(['export', 'demo'])).stdout).toBe(before)
  })

  test('66: a file that is not there, or a folder', async () => {
    for (const file of [join(root, 'none'), root]) {
      const { code, stderr } = await inFolder('nofile')(['import', 'g', file])
      expect(code).toBe(66)
      expect(stderr).toContain(file)
    }
  })

  test('73: a place that cannot be written to; an old file stays as it was when an export fails', async () => {
    const place = join(root, 'none', 'x.ndjson')
    const { code, stderr } = await online(['export', 'demo', '--out', place])
    expect([code, stderr]).toEqual([73, `${place} cannot be written (ENOENT).\n`])
    const kept = join(root, 'kept')
    await mkdir(kept)
    await writeFile(join(kept, 'old'), 'old')
    expect((await online(['export', 'nope', '--out', join(kept, 'old')])).code).toBe(66)
    expect(await readdir(kept)).toEqual(['old'])
    expect(await readFile(join(kept, 'old'), 'utf8')).toBe('old')
  })
})

describe('what other tools keep', () => {
  const MEMORY = [
    { type: 'entity', name: 'Ada', entityType: 'person', observations: ['Speaks French', 'Leads the team'] },
    { type: 'entity', name: 'Loregraph', entityType: 'project', observations: [] },
    { type: 'relation', from: 'Ada', to: 'Loregraph', relationType: 'works_on' },
  ]
  const jsonl = MEMORY.map((line) => JSON.stringify(line)).join('\n')

  test('the memory.jsonl of the MCP memory server', async () => {
    const run = inFolder('foreign')
    const { code, stdout } = await run(['import', 'notes', '--format', 'mcp-memory'], jsonl)
    expect([code, stdout]).toEqual([0, 'The graph notes was made of 4 events: 4 memories.\n'])
    const events = (await run(['export', 'notes'])).stdout
    expect(events).toContain('"payload":{"fact":"Speaks French"},"context_id":"person:ada"')
    expect(events).toContain('"related_to":["project:loregraph"]')
    const asked = await run(['insight', 'notes', 'Which language does Ada speak?', '--json'])
    expect(JSON.parse(asked.stdout).insight).toContain('Speaks French')
  })

  test('a list of facts, the same one twice as one memory seen twice', async () => {
    const run = online
    const facts =
      'The office opens at nine\r\n\nThe printer is on the second floor\nThe office opens at nine\n'
    const args = ['import', 'house', '--format', 'facts', '--context', 'Guide: House Rules', '--json']
    const { code, stdout } = await run(args, facts)
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toEqual({ graph_id: 'house', events: 3, memories: 2 })
    const events = (await run(['export', 'house'])).stdout
    expect(events.match(/"context_id":"guide:house_rules"/g)).toHaveLength(3)
    expect(events).toContain('"times_seen":2')
  })

  test.each([
    ['mcp-memory', '{"type":"entity","name":"Ada"}\n', 'Line 1: /entityType must be a text.'],
    ['facts', '\n\n', 'There is nothing to import.'],
  ])('65: %s with %j', async (format, input, sentence) => {
    const { code, stderr } = await inFolder('badforeign')(['import', 'g', '--format', format], input)
    expect(code).toBe(65)
    expect(stderr).toContain(sentence)
    expect((await inFolder('badforeign')(['export', 'g'])).code).toBe(66)
  })
})
