import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../support/folder.js'
import { CLIENTS, type Host, overStdio } from '../support/mcp.js'
import { commandOf, type Program, startProgram } from '../support/program.js'

const SECRET = 'root-secret-of-the-tests-0123456789'
const MEMORY = /mem_[0-9A-Z]{26}/

const folder = temporaryFolder()
let service: Program
let url: string
beforeAll(async () => {
  service = startProgram(['serve', '--demo', '--port', '0', '--data', folder], {
    env: { LOREGRAPH_SECRET: SECRET },
  })
  url = await service.url
})
afterAll(() => service.stop())

const headers = { Authorization: `Bearer ${SECRET}`, 'Content-Type': 'application/json' }
const graph = async (): Promise<unknown> => (await fetch(`${url}/v1/graphs/demo`, { headers })).json()

async function keyOf(scopes: readonly string[], graphs: readonly string[]): Promise<string> {
  const body = JSON.stringify({ name: 'test', scopes, graphs })
  const response = await fetch(`${url}/v1/keys`, { method: 'POST', headers, body })
  const made = (await response.json()) as { readonly secret: string }
  return made.secret
}

async function withHost<T>(
  args: readonly string[],
  secret: string,
  work: (host: Host) => Promise<T>,
): Promise<T> {
  const host = await overStdio(args, { LOREGRAPH_SECRET: secret })
  try {
    return await work(host)
  } finally {
    await host.close()
  }
}

describe.each(CLIENTS)('a client of %s over stdio', (kind) => {
  test('lists and calls every tool', async () => {
    const args = ['--graph', 'demo', '--url', url, '--allow-erase']
    const host = await overStdio(args, { LOREGRAPH_SECRET: SECRET }, kind)
    try {
      const names = (await host.tools()).map(({ name }) => name)
      expect(names).toEqual(['recall', 'insight', 'record', 'browse', 'brief', 'forget'])
      expect((await host.call('recall', { query: 'Which test runner do we use?' })).text).toContain('vitest')
      expect((await host.call('insight', { task: 'Which test runner do we use?' })).text).toContain('vitest')
      const { text } = await host.call('record', { text: `The formatter of ${kind} is biome.` })
      expect(text).toMatch(/^Recorded as mem_/)
      expect((await host.call('browse')).text).toContain('Types of contexts in demo')
      const gone = await host.call('forget', { memory_id: MEMORY.exec(text)?.[0], confirm: true })
      expect(gone.text).toMatch(/^Erased for good: 1 memory/)
    } finally {
      await host.close()
    }
  })
})

describe('which graph, and what may be erased', () => {
  test('without --graph, the only one that the key reaches', async () => {
    const secret = await keyOf(['read'], ['demo'])
    const { text } = await withHost(['--url', url], secret, (host) => host.call('browse'))
    expect(text).toContain('Types of contexts in demo')
  })

  test('without --graph, one of several by name; none is guessed', async () => {
    const secret = await keyOf(['read', 'write'], ['demo', 'later'])
    await withHost(['--url', url], secret, async (host) => {
      const asked = await host.call('browse')
      expect(asked.isError).toBe(true)
      expect(asked.text).toMatch(/Name the one of this project as graph.*: demo, later\.$/)
      expect((await host.call('browse', { graph: 'demo' })).text).toContain('Types of contexts in demo')
      expect((await host.call('browse', { graph: 'later' })).text).toBe('Types of contexts in later: none.\n')
    })
  })

  test('without --allow-erase, nothing erases', () =>
    withHost(['--graph', 'demo', '--url', url], SECRET, async (host) => {
      expect((await host.tools()).some(({ name }) => name === 'forget')).toBe(false)
      await expect(
        host.call('forget', { context_id: 'decision:test_runner', confirm: true }),
      ).rejects.toThrow()
    }))
})

describe('what goes wrong is one clear sentence', () => {
  test('a secret that is not known', async () => {
    const wrong = 'wrong-secret-of-the-tests-0123456789'
    const answer = await withHost(['--graph', 'demo', '--url', url], wrong, (host) =>
      host.call('recall', { query: 'test runner' }),
    )
    expect(answer).toEqual({ isError: true, text: expect.stringMatching(/^The secret is not known\./) })
  })

  test('a key that may only read', async () => {
    const before = await graph()
    const secret = await keyOf(['read'], ['demo'])
    const answer = await withHost(['--graph', 'demo', '--url', url], secret, (host) =>
      host.call('record', { text: 'Something.' }),
    )
    expect(answer).toEqual({ isError: true, text: 'This needs a secret with the scope write.' })
    expect(await graph()).toEqual(before)
  })

  test('a service that is down: every tool says so at once, and the tools are still listed', () =>
    withHost(['--graph', 'demo', '--url', 'http://127.0.0.1:9'], SECRET, async (host) => {
      expect(await host.tools()).toHaveLength(5)
      for (const [tool, given] of [
        ['recall', { query: 'a' }],
        ['insight', { task: 'a' }],
        ['record', { text: 'a' }],
        ['browse', {}],
        ['brief', {}],
      ] as const) {
        const started = performance.now()
        const { text, isError } = await host.call(tool, given)
        expect(isError).toBe(true)
        expect(text).toMatch(/^Loregraph cannot be reached.*Go on without it/)
        expect(text.split('\n')).toHaveLength(1)
        expect(performance.now() - started).toBeLessThan(5_000)
      }
    }))
})

/** The program, spoken to line by line. */
function speak(extra: readonly string[] = []): { child: ChildProcess; lines: string[]; errors: string[] } {
  const [command = '', ...first] = commandOf()
  const child = spawn(command, [...first, 'mcp', '--graph', 'demo', '--url', url, ...extra], {
    env: { PATH: process.env['PATH'], LOREGRAPH_SECRET: SECRET },
    stdio: 'pipe',
  })
  const lines: string[] = []
  const errors: string[] = []
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line))
  createInterface({ input: child.stderr }).on('line', (line) => errors.push(line))
  return { child, lines, errors }
}

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } },
}
const RECORD = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'record', arguments: { text: 'Something learned.' } },
}

describe('the wire', () => {
  test('nothing but JSON-RPC on stdout; bad lines are answered, record nothing, and leave the rest unharmed', async () => {
    const before = await graph()
    const { child, lines } = speak()
    const send = (line: string) => child.stdin?.write(`${line}\n`)
    send(JSON.stringify(INITIALIZE))
    send('this is no JSON')
    send(JSON.stringify([RECORD, { ...RECORD, id: 2 }]))
    send(
      JSON.stringify({
        ...RECORD,
        params: { name: 'record', arguments: { text: 'a'.repeat(2_000_000) } },
      }),
    )
    send(JSON.stringify({ jsonrpc: '2.0', id: 3, method: 'tools/list' }))
    await expect.poll(() => lines.length, { timeout: 20_000 }).toBe(5)
    const messages = lines.map((line) => JSON.parse(line))
    expect(messages.every((message) => message.jsonrpc === '2.0')).toBe(true)
    expect(messages.filter(({ id }) => id === null).map(({ error }) => error.code)).toEqual([
      -32700, -32600, -32600,
    ])
    expect(messages.find(({ id }) => id === 3).result.tools).toHaveLength(5)
    // Half a message, and then nothing more.
    child.stdin?.end(JSON.stringify(RECORD).slice(0, 80))
    const [code] = await once(child, 'close')
    expect(code).toBe(0)
    expect(lines).toHaveLength(5)
    expect(await graph()).toEqual(before)
  })

  test('it ends when its input does', async () => {
    const { child, lines } = speak()
    child.stdin?.write(`${JSON.stringify(INITIALIZE)}\n`)
    await expect.poll(() => lines.length, { timeout: 20_000 }).toBe(1)
    child.stdin?.end()
    const [code] = await once(child, 'close')
    expect(code).toBe(0)
  })

  test('it ends when its parent does, also if its input stays open', async () => {
    const [command = '', ...first] = commandOf()
    const start = [command, ...first, 'mcp', '--graph', 'demo', '--url', url]
    // A parent that hands its own input on, and so does not close it by ending.
    const script = `const { spawn } = require('node:child_process')
const child = spawn(${JSON.stringify(start[0])}, ${JSON.stringify(start.slice(1))}, { stdio: ['inherit', 'ignore', 'ignore'] })
console.log(child.pid)
setTimeout(() => process.exit(0), 1500)`
    const parent = spawn(process.execPath, ['-e', script], {
      env: { PATH: process.env['PATH'], LOREGRAPH_SECRET: SECRET },
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    const [line] = await once(createInterface({ input: parent.stdout }), 'line')
    const pid = Number(line)
    expect(isAlive(pid)).toBe(true)
    await once(parent, 'exit')
    await expect.poll(() => isAlive(pid), { timeout: 10_000, interval: 100 }).toBe(false)
    parent.stdin.destroy()
  })

  test('what is wrong with the command line is said on stderr', async () => {
    const [command = '', ...first] = commandOf()
    for (const [args, env, code] of [
      [['--graph', '.bad'], { LOREGRAPH_SECRET: SECRET }, 64],
      [['--graph', 'a', '--graph', 'b'], { LOREGRAPH_SECRET: SECRET }, 64],
      [['--graph', 'a'], {}, 78],
    ] as const) {
      const child = spawn(command, [...first, 'mcp', ...args], { env: { ...env }, stdio: 'pipe' })
      let out = ''
      child.stdout.on('data', (chunk) => {
        out += chunk
      })
      const [exit] = await once(child, 'close')
      expect(exit).toBe(code)
      expect(out).toBe('')
    }
  })
})

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
