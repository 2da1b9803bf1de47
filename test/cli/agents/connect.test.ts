import { execFile, execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { type ParseError, parse } from 'jsonc-parser'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { parse as parseYaml } from 'yaml'
import {
  CONNECT_HOSTS,
  isPrintedHost,
  PRINTED_HOSTS,
  type WrittenHost,
} from '../../../src/cli/agents/hosts.js'
import { hookCommand } from '../../../src/cli/agents/wiring.js'
import { eventNames, HOOK_KINDS, type HookHost } from '../../../src/domain/hooks/hosts.js'
import { loadDemo } from '../../../src/service/demo-graph.js'
import { agentCommand, PROGRAM } from '../../support/agents.js'
import { temporaryFolder } from '../../support/folder.js'
import { overHttp } from '../../support/mcp.js'
import { startTestServer, type TestServer } from '../../support/server.js'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  await loadDemo(server.store)
})
afterAll(() => server.stop())

/** A program that is installed, as far as connecting asks; it starts sooner than ours. */
const installed = temporaryFolder()
writeFileSync(join(installed, 'loregraph'), '#!/bin/sh\necho loregraph 0.2.0\n', { mode: 0o755 })

let home: string
let project: string
beforeEach(() => {
  const folder = temporaryFolder()
  home = join(folder, 'home')
  project = join(folder, 'project')
  for (const made of [home, project]) mkdirSync(made)
})

const environment = () => ({
  PATH: installed,
  HOME: home,
  LOREGRAPH_URL: server.url,
  LOREGRAPH_SECRET: server.secret,
})
const connect = (host: string, ...more: string[]) =>
  agentCommand(environment(), ['connect', host, '--graph', 'demo', '--project', project, ...more])
const disconnect = (host: string, ...more: string[]) =>
  agentCommand(environment(), ['disconnect', host, '--project', project, ...more])
const keys = async () => (await server.call('/v1/keys')).body['keys'] as Record<string, unknown>[]

test('what was connected is taken back from where it was, without naming the service again', async () => {
  const before = (await keys()).length
  expect((await connect('claude-code')).error).toBeUndefined()
  expect((await keys()).length).toBe(before + 1)
  const { LOREGRAPH_URL: _, ...env } = environment()
  const { error } = await agentCommand(env, ['disconnect', 'claude-code', '--project', project])
  expect(error).toBeUndefined()
  expect(readdirSync(project)).toEqual([])
  expect((await keys()).length).toBe(before)
})

const WRITTEN_HOSTS = CONNECT_HOSTS.filter((host): host is WrittenHost => !isPrintedHost(host))

/** The file with the servers of a host, and the one with its hooks. */
const FILES: Readonly<Record<WrittenHost, readonly [string, string?]>> = {
  'claude-code': ['project/.mcp.json', 'project/.claude/settings.json'],
  codex: ['project/.codex/config.toml', 'project/.codex/hooks.json'],
  copilot: ['home/.copilot/mcp-config.json', 'home/.copilot/hooks/loregraph.json'],
  gemini: ['project/.gemini/settings.json', 'project/.gemini/settings.json'],
  opencode: ['project/opencode.json'],
  cursor: ['project/.cursor/mcp.json', 'project/.cursor/hooks.json'],
  vscode: ['project/.vscode/mcp.json'],
}

const place = (file: string) => join(home, '..', file)
const LIST: Readonly<Record<WrittenHost, string>> = {
  'claude-code': 'mcpServers',
  codex: '',
  copilot: 'mcpServers',
  gemini: 'mcpServers',
  opencode: 'mcp',
  cursor: 'mcpServers',
  vscode: 'servers',
}

const json = (list: string): Readonly<Record<string, string>> => ({
  'one other server': `{\n  "${list}": {\n    "github": {\n      "command": "gh-mcp",\n      "args": ["stdio"]\n    }\n  }\n}\n`,
  'comments everywhere': `// top\n{\n  /* servers */\n  "${list}": { // here\n    "a": { "command": "x" }, // the first\n    // "b": { "command": "y" }\n    "c": { "command": "z" } // the last\n    /* end */\n  } // list\n}\n// bottom\n`,
  CRLF: `{\r\n  "${list}": {\r\n    "a": { "command": "x" }\r\n  },\r\n  "other": true\r\n}\r\n`,
  tabs: `{\n\t"${list}": {\n\t\t"a": {\n\t\t\t"command": "x"\n\t\t}\n\t}\n}\n`,
  'no final newline': `{\n    "${list}": {}\n}`,
  'a mark of byte order': `\ufeff{ "${list}": {} }\n`,
  'all on one line': `{"${list}":{"a":{"command":"x"}},"z":[1,2]}`,
  'trailing commas': `{\n  "${list}": {\n    "a": { "command": "x", },\n  },\n}\n`,
  'an empty file': '',
  'an empty object': '{}',
  'white space alone': ' \n\n',
  'without the list': `{\n  "inputs": [],\n  "permissions": { "allow": ["Bash(ls:*)"] }\n}\n`,
})

const HOOKS: Readonly<Record<string, string>> = {
  'hooks of others': `{\n  "hooks": {\n    "UserPromptSubmit": [\n      { "hooks": [{ "type": "command", "command": "date" }] } // mine\n    ],\n    "Stop": []\n  },\n  "model": "x" // y\n}\n`,
  'no hooks': '{ "version": 1 }',
  'an empty file': '',
  'CRLF and tabs':
    '{\r\n\t"hooks": {\r\n\t\t"sessionStart": [\r\n\t\t\t{ "command": "x" }\r\n\t\t]\r\n\t}\r\n}',
}

const TOML: Readonly<Record<string, string>> = {
  'one other server': 'model = "gpt-5"\n\n[mcp_servers.github]\ncommand = "gh-mcp"\nargs = ["stdio"]\n',
  'comments everywhere': '# top\nmodel = "x" # why\n# [mcp_servers.loregraph]\n\n[a]\n# end\n',
  CRLF: 'model = "x"\r\n[a]\r\nb = 1\r\n',
  tabs: '[a]\n\tb = 1\n\tc = [\n\t\t1,\n\t]\n',
  'no final newline': '[a]\nb = 1',
  'a mark of byte order': '\ufeffmodel = "x"\n',
  'strings of several lines': 'a = """\n[mcp_servers.x]\n# "\n"""\nb = \'\'\'\n"\'\'\'\n',
  'blank lines at the end': '[a]\nb = 1\n\n\n\n',
  'an empty file': '',
  'white space alone': '\n \n',
  'quoted keys and inline tables': '"a.b" = { c = [1, 2], d = "}" }\n[\'x y\']\nz = "\\""\n',
}

describe.each(WRITTEN_HOSTS)('%s', (host) => {
  const [servers, hooks] = FILES[host]
  const contents = host === 'codex' ? TOML : json(LIST[host])
  /** Every layout for one host with each format; what reads and writes it is the same for the others. */
  const layoutsOf = (all: Readonly<Record<string, string>>) =>
    Object.entries(all).slice(0, ['claude-code', 'codex'].includes(host) ? undefined : 2)
  const withHooks = hooks === undefined ? [] : ['--hooks']

  test.each(layoutsOf(contents))('connect then disconnect restores the bytes: %s', async (_, content) => {
    const file = place(servers)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
    chmodSync(file, 0o664)
    expect((await connect(host, ...withHooks)).error).toBeUndefined()
    const connected = readFileSync(file, 'utf8')
    expect(connected).toContain('loregraph')
    expect(statSync(file).mode & 0o777).toBe(0o664)
    expect(readFileSync(`${file}.loregraph-backup`, 'utf8')).toBe(content)
    expect(isWithin(content, connected)).toBe(true)
    if (host !== 'codex') expect(commandIn(connected, LIST[host])).toMatch(/ mcp --graph demo --url http/)
    if (content.includes('\r\n')) expect(connected).not.toMatch(/[^\r]\n/)
    expect((await disconnect(host)).error).toBeUndefined()
    expect(readFileSync(file, 'utf8')).toBe(content)
    expect(readdirSync(dirname(file)).filter((name) => name.includes('loregraph'))).toEqual([])
  })

  test('a missing file is made, with its folder, and both are gone again', async () => {
    expect((await connect(host, ...withHooks)).error).toBeUndefined()
    for (const file of FILES[host]) if (file !== undefined) expect(existsSync(place(file))).toBe(true)
    expect((await disconnect(host)).error).toBeUndefined()
    expect(readdirSync(project)).toEqual([])
    expect(readdirSync(home).filter((name) => name === '.copilot')).toEqual([])
  })

  test('a second time changes nothing, and makes no second key', async () => {
    await connect(host, ...withHooks)
    const before = [readFileSync(place(servers), 'utf8'), (await keys()).length]
    const { stdout, stderr, error } = await connect(host, ...withHooks)
    expect([error, stdout, stderr]).toEqual([undefined, '', `${host} is connected to demo already.\n`])
    expect([readFileSync(place(servers), 'utf8'), (await keys()).length]).toEqual(before)
    await disconnect(host)
  })

  test('a read-only file, one that cannot be parsed and one with a server of that name: nothing is written', async () => {
    const file = place(servers)
    mkdirSync(dirname(file), { recursive: true })
    const own =
      host === 'codex'
        ? '[mcp_servers.loregraph]\ncommand = "x"\n'
        : `{ "${LIST[host]}": { "loregraph": { "command": "x" } } }`
    const broken = host === 'codex' ? 'a = """\n' : '{ "a": '
    const before = (await keys()).length
    for (const [content, mode, why] of [
      [contents['one other server'] ?? '', 0o444, /is read-only/],
      [broken, 0o644, /is not (JSON|TOML)/],
      [own, 0o644, /loregraph (that connect did not write|already)/],
      ['\xff', 0o644, /./],
    ] as const) {
      writeFileSync(file, content, 'latin1')
      chmodSync(file, mode)
      const { error } = await connect(host, ...withHooks)
      expect(error?.message).toMatch(why)
      expect(error?.exitCode).toBeGreaterThan(0)
      chmodSync(file, 0o644)
      expect(readFileSync(file, 'latin1')).toBe(content)
      expect(readdirSync(dirname(file))).toHaveLength(1)
    }
    expect((await keys()).length).toBe(before)
    expect(existsSync(join(home, '.config'))).toBe(false)
  })

  test('a dry run shows the difference and does nothing', async () => {
    const before = (await keys()).length
    const { stdout, stderr } = await connect(host, ...withHooks, '--dry-run')
    expect(stdout).toMatch(/^\+ .*loregraph/m)
    expect(stderr).toBe('Nothing was done: --dry-run.\n')
    expect([readdirSync(project), readdirSync(home), (await keys()).length]).toEqual([[], [], before])
  })

  if (hooks !== undefined)
    test.each(layoutsOf(HOOKS))('the file of hooks gets its bytes back: %s', async (_, content) => {
      const file = place(hooks)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, content)
      expect((await connect(host, '--hooks')).error).toBeUndefined()
      const connected = readFileSync(file, 'utf8')
      const events = HOOK_KINDS.flatMap((kind) => eventNames(host as HookHost, kind))
      expect(Object.keys(parse(connected).hooks)).toEqual(expect.arrayContaining(events))
      expect(new Set(connected.match(/ hook [\w-]+ --host /g)).size).toBeGreaterThanOrEqual(5)
      expect(isWithin(content, connected)).toBe(true)
      expect((await disconnect(host)).error).toBeUndefined()
      expect(readFileSync(file, 'utf8')).toBe(content)
    })
})

/** The command line of our server in a text that must be whole. */
function commandIn(text: string, list: string): string {
  const errors: ParseError[] = []
  const value = parse(text.replace(/^\ufeff/, ''), errors, { allowTrailingComma: true })
  expect(errors).toEqual([])
  const { command, args = [] } = value[list].loregraph
  return [command, ...args].flat().join(' ')
}

/** Is the one what is left of the other when some characters are taken out? */
function isWithin(before: string, after: string): boolean {
  let found = 0
  for (const letter of after) if (letter === before[found]) found++
  return found === before.length
}

/** The command of our server in a printed block, whatever its form. */
function wordsIn(block: string): string[] {
  const [servers] = Object.values<{ loregraph: Record<string, unknown> }>(parseYaml(block))
  const { command, cmd, args } = servers?.loregraph ?? {}
  return [command ?? cmd, ...(args as string[])] as string[]
}

describe('the key', () => {
  test('reads and writes that graph as an agent, and nothing else; no file has the root secret', async () => {
    await connect('claude-code', '--hooks')
    const [key] = (await keys()).filter(({ name }) => String(name).endsWith(project.slice(-40)))
    expect(key).toMatchObject({ scopes: ['read', 'write'], graphs: ['demo'], sources: ['agent'] })
    const folder = join(home, '.config/loregraph/connections')
    const secretFile = readdirSync(folder).find((name) => name.endsWith('.secret')) ?? ''
    expect(statSync(join(folder, secretFile)).mode & 0o777).toBe(0o600)
    const secret = readFileSync(join(folder, secretFile), 'utf8').trim()
    const settings = [place('project/.mcp.json'), place('project/.claude/settings.json')].map((file) =>
      readFileSync(file, 'utf8'),
    )
    for (const text of settings) {
      expect(text).not.toContain(secret)
      expect(text).not.toContain(server.secret)
      expect(text).toContain(`~/.config/loregraph/connections/${secretFile}`)
    }
    const ask = () =>
      server.fetch('/v1/graphs/demo/brief', { headers: { Authorization: `Bearer ${secret}` } })
    expect((await ask()).status).toBe(200)
    await disconnect('claude-code')
    expect((await ask()).status).toBe(401)
    expect(readdirSync(folder)).toEqual([])
  })

  test('is not made when the secret that asks is no admin’s, and nothing is written', async () => {
    const { secret } = await server.key({ scopes: ['read', 'write'] })
    const env = { ...environment(), LOREGRAPH_SECRET: secret }
    const { error } = await agentCommand(env, ['connect', 'cursor', '--graph', 'demo', '--project', project])
    expect(error?.message).toMatch(/scope admin/)
    expect([readdirSync(project), readdirSync(home)]).toEqual([[], []])
  })

  test('is revoked when a file cannot be written after all', async () => {
    const before = (await keys()).length
    writeFileSync(join(project, '.cursor'), 'a file where a folder is needed')
    const { error } = await connect('cursor')
    expect(error?.message).toMatch(/Nothing was changed|cannot be written/)
    expect((await keys()).length).toBe(before)
    expect(existsSync(join(home, '.config/loregraph/connections/cursor-project-demo.secret'))).toBe(false)
  })

  test('disconnect without the service: the lines are gone, and the next time revokes the key', async () => {
    await connect('cursor')
    const count = (await keys()).length
    const env = { ...environment(), LOREGRAPH_SECRET: 'x'.repeat(40) }
    const { error } = await agentCommand(env, ['disconnect', 'cursor', '--project', project])
    expect(error?.message).toMatch(/secret is not known/)
    expect(readdirSync(project)).toEqual([])
    expect((await keys()).length).toBe(count)
    expect((await disconnect('cursor')).error).toBeUndefined()
    expect((await keys()).length).toBe(count - 1)
  })

  test('a secret that was lost is replaced by that of a new key, and the old key is revoked', async () => {
    await connect('cursor')
    const count = (await keys()).length
    const lost = join(home, '.config/loregraph/connections/cursor-project-demo.secret')
    const former = readFileSync(lost, 'utf8')
    rmSync(lost)
    expect((await connect('cursor')).error).toBeUndefined()
    expect(readFileSync(lost, 'utf8')).not.toBe(former)
    expect((await keys()).length).toBe(count)
    await disconnect('cursor')
    expect([readdirSync(project), (await keys()).length]).toEqual([[], count - 1])
  })

  test('a key that was revoked by hand is no obstacle', async () => {
    await connect('cursor')
    const [key] = (await keys()).filter(({ name }) => String(name).startsWith('cursor in'))
    await server.fetch(`/v1/keys/${key?.['key_id']}`, { method: 'DELETE' })
    expect((await disconnect('cursor')).error).toBeUndefined()
  })
})

describe('the program', () => {
  const command = () => JSON.parse(readFileSync(place('project/.mcp.json'), 'utf8')).mcpServers.loregraph
  const withPath = (PATH: string, host = 'claude-code', ...more: string[]) =>
    agentCommand({ ...environment(), PATH }, [
      'connect',
      host,
      '--graph',
      'demo',
      '--project',
      project,
      ...more,
    ])
  const install = (folder: string, script: string) => {
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'loregraph'), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
    return folder
  }

  test('is this build where none is installed: no word of npx, and the lines run as they are written', async () => {
    const { stderr, error } = await withPath('', 'claude-code', '--hooks')
    expect(error).toBeUndefined()
    expect(stderr).toMatch(/is connected to demo.*\n.*approve it\.\n$/)
    const { command: node, args } = command()
    expect([node, ...args.slice(0, PROGRAM.length - 1)]).toEqual(PROGRAM)
    const settings = readFileSync(place('project/.claude/settings.json'), 'utf8')
    expect(settings).not.toContain('npx')
    const line = JSON.parse(settings).hooks.UserPromptSubmit[0].hooks[0].command
    const EVENT = JSON.stringify({ session_id: 's', prompt: 'Which test runner do we use?' })
    const env = { PATH: process.env['PATH'], HOME: home, EVENT }
    const asked = () => promisify(execFile)('sh', ['-c', `printf %s "$EVENT" | ${line}`], { env })
    // On a busy machine a hook may run out of its two seconds, and then says nothing.
    await vi.waitFor(async () => expect((await asked()).stdout).toContain('vitest'), 30_000)
    await disconnect('claude-code')
  }, 40_000)

  test.each(PRINTED_HOSTS.slice(0, 1))('is in the block that %s gets, and runs', async (host) => {
    const [program = '', ...args] = wordsIn((await withPath('', host)).stdout)
    expect([program, ...args.slice(0, PROGRAM.length - 1)]).toEqual(PROGRAM)
    const transport = new StdioClientTransport({ command: program, args, env: { HOME: home } })
    const client = new Client({ name: 'test', version: '1' })
    await client.connect(transport)
    const { content } = await client.callTool({ name: 'recall', arguments: { query: 'Which test runner?' } })
    expect(JSON.stringify(content)).toContain('vitest')
    await client.close()
    await disconnect(host)
  })

  test('is the one that is installed', async () => {
    expect((await withPath(`/nowhere:${installed}`)).error).toBeUndefined()
    expect(command().command).toBe('loregraph')
    await disconnect('claude-code')
  })

  test('is not one that npm lends to what it runs', async () => {
    const bins = ['node_modules/.bin', '_npx/1/bin'].map((bin) => install(join(home, bin), 'echo no'))
    expect((await withPath(bins.join(':'))).error).toBeUndefined()
    expect(command().command).toBe(PROGRAM[0])
    await disconnect('claude-code')
  })

  test.each([
    ['fails', 'exit 3', /could not run Loregraph: Command failed/],
    ['is another program', 'echo something 1.0', /runs something else/],
  ])('that %s: nothing is written, and no key is made', async (_, script, why) => {
    const before = (await keys()).length
    const { error } = await withPath(install(join(home, 'bin'), script))
    expect(error?.message).toMatch(why)
    expect([readdirSync(project), (await keys()).length]).toEqual([[], before])
  })

  test('may lie in a folder of any name', () => {
    const folder = join(home, 'a $HOME `date` "b"')
    mkdirSync(folder)
    writeFileSync(join(folder, 'it'), 'for word; do echo "$word"; done')
    const wiring = {
      program: ['/bin/sh', join(folder, 'it')],
      url: 'http://a',
      graph: 'g',
      secretFile: '~/a b',
      isHttp: false,
    }
    expect(execFileSync('sh', ['-c', hookCommand(wiring, 'codex', 'stop')], { encoding: 'utf8' })).toBe(
      [
        'hook',
        'stop',
        '--host',
        'codex',
        '--graph',
        'g',
        '--url',
        'http://a',
        '--secret-file',
        '~/a b',
        '',
      ].join('\n'),
    )
  })
})

describe('--http', () => {
  const SECRET = 'LOREGRAPH_AGENT_SECRET'
  const url = () => `${server.url}/mcp/demo`
  const header = (secret: string) => ({ headers: { Authorization: `Bearer ${secret}` } })
  const FILE = '~/.config/loregraph/connections/opencode-project-demo.secret'

  test.each<[WrittenHost, () => unknown]>([
    ['claude-code', () => ({ type: 'http', url: url(), ...header(`\${${SECRET}}`) })],
    ['gemini', () => ({ httpUrl: url(), ...header(`\${${SECRET}}`) })],
    ['cursor', () => ({ url: url(), ...header(`\${env:${SECRET}}`) })],
    [
      'opencode',
      () => ({ type: 'remote', url: url(), ...header(`{file:${FILE}}`), oauth: false, enabled: true }),
    ],
  ])('%s is given the address, and where the secret is', async (host, entry) => {
    const file = place(FILES[host][0])
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, '{}')
    const { error, stderr } = await connect(host, '--http')
    expect(error).toBeUndefined()
    expect(JSON.parse(readFileSync(file, 'utf8'))[LIST[host]].loregraph).toEqual(entry())
    expect(stderr.includes(`export ${SECRET}="$(cat ~/.config/loregraph/`)).toBe(host !== 'opencode')
    expect((await connect(host, '--http')).stderr).toContain('connected to demo already')
    await connect(host)
    expect(readFileSync(file, 'utf8')).toContain('--secret-file')
    await disconnect(host)
    expect(readFileSync(file, 'utf8')).toBe('{}')
  })

  test('codex is given the address, and the name of the variable', async () => {
    expect((await connect('codex', '--http')).error).toBeUndefined()
    const text = readFileSync(place('project/.codex/config.toml'), 'utf8')
    expect(text).toContain(`url = "${url()}"\nbearer_token_env_var = "${SECRET}"\n`)
    await disconnect('codex')
    expect(readdirSync(project)).toEqual([])
  })

  test('a file that was changed since loses only the entry', async () => {
    const file = place('project/.mcp.json')
    await connect('claude-code', '--http')
    const config = JSON.parse(readFileSync(file, 'utf8'))
    writeFileSync(file, JSON.stringify({ ...config, other: true }))
    await disconnect('claude-code')
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ mcpServers: {}, other: true })
  })

  test('what the address and the secret lead to is the graph', async () => {
    await connect('claude-code', '--http')
    const { url: address } = JSON.parse(readFileSync(place('project/.mcp.json'), 'utf8')).mcpServers.loregraph
    const secret = readFileSync(
      join(home, '.config/loregraph/connections/claude-code-project-demo.secret'),
      'utf8',
    ).trim()
    const host = await overHttp(address, secret)
    expect((await host.call('browse')).text).toContain('Types of contexts in demo')
    await host.close()
    await disconnect('claude-code')
  })

  test.each([...PRINTED_HOSTS, 'copilot', 'vscode'])(
    '%s would have to be given the secret itself, and is not',
    async (host) => {
      const before = (await keys()).length
      expect((await connect(host, '--http')).error?.message).toMatch(
        /need the secret itself.*Leave out --http/,
      )
      expect([readdirSync(project), readdirSync(home), (await keys()).length]).toEqual([[], [], before])
    },
  )
})

describe('--agents-md and --skills', () => {
  const TEXT: Readonly<Record<WrittenHost, readonly [instructions: string, skills: string]>> = {
    'claude-code': ['project/CLAUDE.md', 'project/.claude/skills'],
    codex: ['project/AGENTS.md', 'project/.agents/skills'],
    copilot: ['home/.copilot/copilot-instructions.md', 'home/.agents/skills'],
    gemini: ['project/GEMINI.md', 'project/.agents/skills'],
    opencode: ['project/AGENTS.md', 'project/.agents/skills'],
    cursor: ['project/AGENTS.md', 'project/.agents/skills'],
    vscode: ['project/AGENTS.md', 'project/.agents/skills'],
  }
  const WITH = ['--agents-md', '--skills']

  test.each(WRITTEN_HOSTS)('%s: are written where it reads them, and gone again', async (host) => {
    const [instructions, skills] = TEXT[host]
    expect((await connect(host)).error).toBeUndefined()
    expect([existsSync(place(instructions)), existsSync(place(skills))]).toEqual([false, false])
    expect((await connect(host, ...WITH)).error).toBeUndefined()
    const text = readFileSync(place(instructions), 'utf8')
    expect(text).toMatch(/^<!-- loregraph: begin .* -->\n## Memory\n[\s\S]*\n<!-- loregraph: end -->\n$/)
    expect(readdirSync(place(skills))).toEqual(['ask-before-you-start', 'record-what-you-learned'])
    expect(readFileSync(join(place(skills), 'ask-before-you-start/SKILL.md'), 'utf8')).toMatch(
      /^---\nname: ask-/,
    )
    expect((await connect(host)).stderr).toContain('connected to demo already')
    expect((await disconnect(host)).error).toBeUndefined()
    expect([readdirSync(project), readdirSync(home)]).toEqual([[], ['.config']])
  })

  test.each([
    ['', 'blank'],
    ['# Rules\n\nBe kind.\n', 'with rules'],
    ['no final newline', 'without a final newline'],
    ['# Rules\r\n\r\nBe kind.\r\n', 'with CRLF'],
    ['\ufeff# Rules\n', 'with a mark of byte order'],
  ])('a file %j gets its bytes back', async (content) => {
    const file = place('project/AGENTS.md')
    writeFileSync(file, content)
    await connect('codex', ...WITH)
    const text = readFileSync(file, 'utf8')
    expect(text.startsWith(content)).toBe(true)
    expect(text).toContain('## Memory')
    if (content.includes('\r\n')) expect(text).not.toMatch(/[^\r]\n/)
    await disconnect('codex')
    expect(readFileSync(file, 'utf8')).toBe(content)
  })

  test('what was written since stays, and the lines are gone', async () => {
    const file = place('project/AGENTS.md')
    writeFileSync(file, '# Rules\n')
    await connect('codex', ...WITH)
    writeFileSync(file, `${readFileSync(file, 'utf8')}\n## More\n`)
    await connect('codex', ...WITH)
    expect(readFileSync(file, 'utf8').endsWith('end -->\n\n## More\n')).toBe(true)
    await disconnect('codex')
    expect(readFileSync(file, 'utf8')).toBe('# Rules\n\n## More\n')
  })

  test('a skill that is there already, and one that was changed since, are left as they are', async () => {
    const [own, changed] = ['ask-before-you-start', 'record-what-you-learned'].map((name) =>
      place(`project/.agents/skills/${name}/SKILL.md`),
    ) as [string, string]
    mkdirSync(dirname(own), { recursive: true })
    writeFileSync(own, 'mine')
    await connect('codex', ...WITH)
    expect(readFileSync(own, 'utf8')).toBe('mine')
    writeFileSync(changed, 'better')
    await connect('codex', ...WITH)
    await disconnect('codex')
    expect([own, changed].map((file) => readFileSync(file, 'utf8'))).toEqual(['mine', 'better'])
  })

  test('several hosts share them: they go with the last', async () => {
    const file = place('project/AGENTS.md')
    writeFileSync(file, '# Rules\n')
    for (const host of ['codex', 'opencode', 'cursor']) await connect(host, ...WITH)
    expect(readFileSync(file, 'utf8').match(/## Memory/g)).toHaveLength(1)
    for (const host of ['codex', 'cursor']) {
      await disconnect(host)
      expect(readFileSync(file, 'utf8')).toContain('## Memory')
      expect(existsSync(place('project/.agents/skills/ask-before-you-start/SKILL.md'))).toBe(true)
    }
    await disconnect('opencode')
    expect(readFileSync(file, 'utf8')).toBe('# Rules\n')
    expect(readdirSync(project)).toEqual(['AGENTS.md'])
  })

  test('for all projects: in the file of the home folder, where the host has one', async () => {
    const forUser = (command: string, host: string, ...more: string[]) =>
      agentCommand(environment(), [command, host, '--user', ...more])
    for (const [host, file] of [
      ['claude-code', '.claude/CLAUDE.md'],
      ['codex', '.codex/AGENTS.md'],
      ['gemini', '.gemini/GEMINI.md'],
      ['opencode', '.config/opencode/AGENTS.md'],
    ] as const) {
      expect((await forUser('connect', host, '--graph', 'demo', ...WITH)).error).toBeUndefined()
      expect(readFileSync(join(home, file), 'utf8')).toContain('## Memory')
      await forUser('disconnect', host)
      expect(readdirSync(home)).toEqual(['.config'])
    }
    const { error } = await forUser('connect', 'cursor', '--graph', 'demo', ...WITH)
    expect(error?.message).toMatch(/no file of instructions for all projects. Leave out --agents-md/)
  })

  test.each(PRINTED_HOSTS)('%s is refused them', async (host) =>
    expect((await connect(host, ...WITH)).error?.message).toMatch(/Leave out --agents-md and --skills/),
  )
})

describe.each(PRINTED_HOSTS)('%s', (host) => {
  test('gets a block, and no file; a second time the same, and no second key', async () => {
    const { stdout, stderr, error } = await connect(host)
    expect([error, readdirSync(project), readdirSync(home)]).toEqual([undefined, [], ['.config']])
    expect(stderr).toMatch(/ is connected to demo.*\nAdd what is on stdout to .*\.(json|yaml)/)
    expect(wordsIn(stdout).slice(0, PROGRAM.length + 3)).toEqual([...PROGRAM, 'mcp', '--graph', 'demo'])
    const count = (await keys()).length
    expect((await connect(host)).stdout).toBe(stdout)
    expect((await keys()).length).toBe(count)
    expect((await disconnect(host)).stderr).toMatch(/its key is revoked.\nTake loregraph out of /)
    expect((await keys()).length).toBe(count - 1)
  })

  test('a dry run prints the block and makes no key', async () => {
    const before = (await keys()).length
    expect((await connect(host, '--dry-run')).stdout).toContain('secret-file')
    expect([readdirSync(home), (await keys()).length]).toEqual([[], before])
  })

  test('has no hooks', async () =>
    expect((await connect(host, '--hooks')).error?.message).toMatch(/Leave out --hooks/))
})

test.each([
  ['codex', /trust the project.*\n.*\/hooks/],
  ['cursor', /Settings, MCP/],
  ['copilot', /Start Copilot anew/],
])('%s: what it still wants is said', async (host, wanted) => {
  expect((await connect(host, '--hooks')).stderr).toMatch(wanted)
  await disconnect(host)
})

describe('a file that was changed since', () => {
  test('keeps what others wrote', async () => {
    const file = place('project/.mcp.json')
    writeFileSync(file, '{\n  // mine\n  "mcpServers": {}\n}\n')
    await connect('claude-code')
    const text = readFileSync(file, 'utf8').replace(
      '"loregraph": {',
      '"new": { "command": "y" }, // added\n    "loregraph": {',
    )
    writeFileSync(file, text)
    expect((await disconnect('claude-code')).error).toBeUndefined()
    const left = readFileSync(file, 'utf8')
    expect(left).toContain('// mine')
    expect(left).toContain('"new": { "command": "y" }')
    expect(left).not.toContain('"loregraph"')
    expect(left).not.toContain('secret-file')
  })

  test('TOML too', async () => {
    const file = place('project/.codex/config.toml')
    mkdirSync(dirname(file))
    writeFileSync(file, 'a = 1\n')
    await connect('codex')
    writeFileSync(file, `${readFileSync(file, 'utf8')}\n[later]\nb = 2\n`)
    await disconnect('codex')
    expect(readFileSync(file, 'utf8')).toBe('a = 1\n\n[later]\nb = 2\n')
  })

  test('hooks of others stay', async () => {
    await connect('claude-code', '--hooks')
    const file = place('project/.claude/settings.json')
    const settings = JSON.parse(readFileSync(file, 'utf8'))
    settings.hooks.Stop.unshift({ hooks: [{ type: 'command', command: 'say done' }] })
    settings.model = 'opus'
    writeFileSync(file, JSON.stringify(settings))
    await disconnect('claude-code')
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      hooks: { Stop: [{ hooks: [{ type: 'command', command: 'say done' }] }] },
      model: 'opus',
    })
  })
})

test('another graph takes the place of the first, and its key that of the first', async () => {
  await server.call('/v1/events', {
    json: { graph_id: 'second', event_kind: 'fact', payload: { data: 'x' } },
  })
  const file = place('project/.mcp.json')
  writeFileSync(file, '{"mcpServers":{}}')
  await connect('claude-code', '--hooks')
  const count = (await keys()).length
  await agentCommand(environment(), ['connect', 'claude-code', '--graph', 'second', '--project', project])
  expect((await keys()).length).toBe(count)
  for (const changed of [file, place('project/.claude/settings.json')]) {
    expect(readFileSync(changed, 'utf8')).toContain('project-second.secret')
    expect(readFileSync(changed, 'utf8')).not.toContain('project-demo.secret')
  }
  await disconnect('claude-code')
  expect(readFileSync(file, 'utf8')).toBe('{"mcpServers":{}}')
  expect((await keys()).length).toBe(count - 1)
})

describe('--user', () => {
  const forUser = (command: string, host: string, ...more: string[]) =>
    agentCommand(environment(), [command, host, '--user', ...more])

  test.each([
    ['claude-code', '.claude.json', '.claude/settings.json'],
    ['codex', '.codex/config.toml', '.codex/hooks.json'],
    ['gemini', '.gemini/settings.json', '.gemini/settings.json'],
    ['opencode', '.config/opencode/opencode.json', undefined],
    ['cursor', '.cursor/mcp.json', '.cursor/hooks.json'],
  ])('%s: connects all projects, and gives back the bytes', async (host, servers, hooks) => {
    const before = host === 'codex' ? 'model = "x"\n' : '{"numStartups":3,"mcpServers":{"a":{"command":"x"}}}'
    mkdirSync(dirname(join(home, servers)), { recursive: true })
    writeFileSync(join(home, servers), before)
    const withHooks = hooks === undefined ? [] : ['--hooks']
    const { error, stderr } = await forUser('connect', host, '--graph', 'demo', ...withHooks)
    expect([error, readdirSync(project)]).toEqual([undefined, []])
    expect(stderr).not.toMatch(/approve|trust the/)
    for (const file of [servers, hooks ?? servers])
      expect(readFileSync(join(home, file), 'utf8')).toContain('secret-file')
    expect((await forUser('disconnect', host)).error).toBeUndefined()
    expect(readFileSync(join(home, servers), 'utf8')).toBe(before)
    if (hooks !== undefined && hooks !== servers) expect(existsSync(join(home, hooks))).toBe(false)
  })

  test('beside a project they do not touch each other', async () => {
    await forUser('connect', 'claude-code', '--graph', 'demo')
    await connect('claude-code')
    await forUser('disconnect', 'claude-code')
    expect([existsSync(join(home, '.claude.json')), existsSync(place('project/.mcp.json'))]).toEqual([
      false,
      true,
    ])
    await disconnect('claude-code')
  })

  test('is refused for VS Code, and beside --project', async () => {
    expect((await forUser('connect', 'vscode', '--graph', 'demo')).error?.message).toMatch(/Leave out --user/)
    expect((await connect('codex', '--user')).error?.message).toMatch(/--user is for all projects/)
  })
})

test('two projects of the same name have keys of their own', async () => {
  const other = join(temporaryFolder(), 'project')
  mkdirSync(other)
  await connect('cursor')
  await agentCommand(environment(), ['connect', 'cursor', '--graph', 'demo', '--project', other])
  expect(readdirSync(join(home, '.config/loregraph/connections'))).toHaveLength(4)
  await disconnect('cursor')
  expect(readFileSync(join(other, '.cursor/mcp.json'), 'utf8')).toContain('loregraph')
  expect(readdirSync(join(home, '.config/loregraph/connections'))).toHaveLength(2)
})

test('a link to a file stays a link', async () => {
  const real = join(project, 'shared.json')
  writeFileSync(real, '{}')
  symlinkSync(real, join(project, '.mcp.json'))
  await connect('claude-code')
  expect(lstatSync(join(project, '.mcp.json')).isSymbolicLink()).toBe(true)
  expect(readFileSync(real, 'utf8')).toContain('loregraph')
  await disconnect('claude-code')
  expect(readFileSync(real, 'utf8')).toBe('{}')
})

test.each([
  [['connect', 'emacs', '--graph', 'demo'], /The host must be one of claude-code, codex/],
  [['connect', 'codex'], /connect needs one --graph/],
  [['connect', 'codex', '--graph', 'a', '--graph', 'b'], /connect needs one --graph/],
  [['connect', 'codex', '--graph', '../x'], /--graph/],
  [['connect', 'vscode', '--graph', 'demo', '--hooks'], /VS Code has no hooks/],
  [['connect', 'codex', '--graph', 'demo', '--url', 'http://a/;rm'], /no other signs/],
  [['disconnect', 'emacs'], /The host must be one of/],
])('%j is refused', async (args, why) => {
  const { error } = await agentCommand(environment(), [...args, '--project', project])
  expect(error?.message).toMatch(why)
  expect(readdirSync(project)).toEqual([])
})

test('what is not connected needs no undoing', async () => {
  const { error, stderr } = await disconnect('codex')
  expect([error, stderr]).toEqual([
    undefined,
    expect.stringMatching(/^codex is not connected in .*nothing to undo/),
  ])
})
