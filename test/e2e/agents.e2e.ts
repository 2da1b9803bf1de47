import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type CommandOptions, command } from '../support/command.js'
import { temporaryFolder } from '../support/folder.js'
import { commandOf, type Program, startProgram } from '../support/program.js'

vi.setConfig({ testTimeout: 120_000 })

const SECRET = 'a-secret-of-more-than-32-characters'
const EVENT = JSON.stringify({ session_id: 's', prompt: 'Which test runner do we use?' })
const root = temporaryFolder()
const home = join(root, 'home')
const project = join(root, 'project')
const bin = join(root, 'bin')
let service: Program
let env: Record<string, string>

beforeAll(async () => {
  for (const folder of [home, project, bin]) mkdirSync(folder)
  service = startProgram(['--demo', '--port', '0', '--data', join(root, 'data')], {
    env: { LOREGRAPH_SECRET: SECRET },
  })
  env = { HOME: home, LOREGRAPH_URL: await service.url, LOREGRAPH_SECRET: SECRET }
  // As if the package were installed.
  writeFileSync(
    join(bin, 'loregraph'),
    `#!/bin/sh\nexec ${commandOf()
      .map((word) => `'${word}'`)
      .join(' ')} "$@"\n`,
  )
  chmodSync(join(bin, 'loregraph'), 0o755)
})
afterAll(() => service.stop())

const hook = (args: readonly string[], options: CommandOptions = {}) =>
  command(['hook', ...args], { input: EVENT, ...options, env: { ...env, ...options.env } })

describe('a hook ends with 0, whatever happens: nothing on stdout, one line on stderr', () => {
  test.each<[string, readonly string[], CommandOptions?]>([
    ['the service is down', ['prompt', '--graph', 'demo', '--url', 'http://127.0.0.1:1']],
    ['the secret is wrong', ['prompt', '--graph', 'demo'], { env: { LOREGRAPH_SECRET: 'x'.repeat(40) } }],
    ['the graph is another', ['prompt', '--graph', 'nowhere']],
    ['no graph is named', ['prompt']],
    ['the event has no name', ['--graph', 'demo']],
    ['the option does not exist', ['prompt', '--grahp', 'demo']],
    ['a setting does not exist', ['prompt', '--graph', 'demo'], { env: { LOREGRAPH_COLOR: 'red' } }],
    ['there is no event', ['prompt', '--graph', 'demo'], { input: '' }],
    ['the event is cut off', ['prompt', '--graph', 'demo'], { input: EVENT.slice(0, 20) }],
  ])('%s', async (_, args, options) => {
    const { code, stdout, stderr } = await hook(args, options)
    expect([code, stdout, stderr.trimEnd().split('\n').length]).toEqual([0, '', 1])
    expect(stderr.length).toBeGreaterThan(10)
  })

  test.each([
    ['options come first', ['--graph', 'demo', 'hook', 'nosuch']],
    ['a wrong option comes first', ['--grahp', 'demo', 'hook', 'prompt']],
    ['an option took the command for its value', ['--graph', 'hook', 'prompt']],
  ])('%s', async (_, args) => {
    const { code, stdout, stderr } = await command(args, { input: EVENT, env })
    expect([code, stdout, stderr.trimEnd().split('\n').length]).toEqual([0, '', 1])
  })

  test('an event that never ends: after two seconds', async () => {
    const [program = '', ...first] = commandOf()
    const child = spawn(program, [...first, 'hook', 'prompt', '--graph', 'demo'], {
      env: { PATH: process.env['PATH'], ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    child.stdin.write('{')
    const [code] = await once(child, 'exit')
    expect(code).toBe(0)
  })
})

test('connect, a hook as the host runs it, disconnect', async () => {
  const file = join(project, '.mcp.json')
  const before = '{\r\n\t// ours\r\n\t"mcpServers": { }\r\n}'
  writeFileSync(file, before)
  const inPath = { ...env, PATH: `${bin}:${process.env['PATH']}` }
  const connected = await command(['connect', 'claude-code', '--graph', 'demo', '--hooks'], {
    env: inPath,
    cwd: project,
  })
  expect([connected.code, connected.stdout]).toEqual([0, expect.stringContaining('+ ')])
  const settings = JSON.parse(readFileSync(join(project, '.claude/settings.json'), 'utf8'))
  const line: string = settings.hooks.UserPromptSubmit[0].hooks[0].command
  expect(line).toMatch(/^loregraph hook prompt /)

  const run = promisify(execFile)
  const host = { PATH: inPath['PATH'], HOME: home, EVENT }
  const asHost = () => run('sh', ['-c', `printf %s "$EVENT" | ${line}`], { env: host })
  // On a busy machine a hook may run out of its two seconds, and then says nothing.
  await vi.waitFor(async () => expect((await asHost()).stdout).toMatch(/"From Loregraph: .*vitest/), 60_000)
  expect((await asHost()).stdout).toBe('')

  const gone = await command(['disconnect', 'claude-code'], { env: inPath, cwd: project })
  expect(gone.code).toBe(0)
  expect(readFileSync(file, 'utf8')).toBe(before)
  expect(await asHost()).toMatchObject({ stdout: '', stderr: expect.stringMatching(/--secret-file/) })
})
