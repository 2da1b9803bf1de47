import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { COMMANDS } from '../../src/cli/commands.js'
import { command } from '../support/command.js'
import { temporaryFolder } from '../support/folder.js'
import { type Program, startProgram } from '../support/program.js'

// Each test starts several processes, which take their time where others are busy too.
vi.setConfig({ testTimeout: 120_000 })

const SECRET = 'a-secret-of-more-than-32-characters'
const root = temporaryFolder()
let service: Program
let url: string

beforeAll(async () => {
  const env = { LOREGRAPH_SECRET: SECRET }
  service = startProgram(['serve', '--port', '0', '--data', folder('served')], { env })
  url = await service.url
})
afterAll(() => service.stop())

const folder = (name: string) => join(root, name)

describe.concurrent('help and version', () => {
  test('0: the overview, on stdout, with the exit codes', async () => {
    const { code, stdout, stderr } = await command(['--help'], {
      env: { LOREGRAPH_PORT: 'x', LOREGRAPH_TYPO: '1' },
    })
    expect([code, stderr]).toEqual([0, ''])
    for (const { name } of COMMANDS) expect(stdout).toContain(`\n  ${name}`)
    expect(stdout).toContain('\n  64  the command line is wrong\n')
  })

  test.each(['serve', 'key create'])('0: %s --help', async (name) => {
    const { code, stdout, stderr } = await command([...name.split(' '), '--help'])
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(new RegExp(`^Usage: loregraph ${name}.*Options.*Examples.*Exit codes`, 's'))
  })

  test('0: the version of the package', async () => {
    const { version } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'))
    expect(await command(['--version'])).toEqual({ code: 0, stdout: `loregraph ${version}\n`, stderr: '' })
  })
})

describe.concurrent('64: a slip on the command line changes nothing', () => {
  test.each([
    [['sevre'], 'There is no command "sevre". Did you mean serve? See loregraph --help.\n'],
    [['import', '.g'], 'The graph must consist of letters A to Z'],
    [['import', 'g', '--context', 'a:b'], '--context goes with --format facts'],
    [['key', 'create'], 'key create needs --name <words>: what the key is for.\nkey create needs --scope'],
  ])('%j', async (args, sentence) => {
    const data = folder(`slip-${args.join('-').replaceAll('/', '_')}`)
    const { code, stdout, stderr } = await command([...args, '--data', data])
    expect([code, stdout]).toEqual([64, ''])
    expect(stderr).toContain(sentence)
    expect(existsSync(data)).toBe(false)
  })
})

describe.concurrent('78: a bad environment is told whole, and changes nothing', () => {
  test.each([
    [
      'in the data folder',
      ['demo'],
      { LOREGRAPH_DATA: '', LOREGRAPH_DTAA: 'x' },
      ['LOREGRAPH_DTAA is not a setting', 'LOREGRAPH_DATA (--data) is empty'],
    ],
    [
      'in a database',
      ['demo'],
      { DATABASE_URL: 'mysql://lore_x@y', LOREGRAPH_DB_POOL: 'x' },
      ['DATABASE_URL must be an address', 'LOREGRAPH_DB_POOL must be'],
    ],
    [
      'of a service',
      ['demo'],
      { LOREGRAPH_URL: 'ftp://x', LOREGRAPH_UR: 'x' },
      [
        'LOREGRAPH_UR is not',
        'LOREGRAPH_URL (--url) must be an address',
        'LOREGRAPH_SECRET (or --secret-file)',
      ],
    ],
    [
      'with a secret in the address',
      ['demo', '--url', 'http://u:lore_x@127.0.0.1'],
      { LOREGRAPH_SECRET: 'a b' },
      ['must not hold a name or a password', 'LOREGRAPH_SECRET must be of'],
    ],
  ])('%s', async (_name, args, env, sentences) => {
    const { code, stdout, stderr } = await command(args, { env, cwd: root })
    expect([code, stdout]).toEqual([78, ''])
    for (const sentence of sentences) expect(stderr).toContain(sentence)
    expect(stderr).not.toContain('lore_x')
    expect(stderr.match(/^ {2}- /gm)).toHaveLength(sentences.length)
    expect(existsSync(join(root, 'data'))).toBe(false)
  })
})

describe.concurrent('the folder and the service', () => {
  test('75: a folder in use names who uses it and what to do', async () => {
    for (const args of [['demo'], ['key', 'list'], ['export', 'demo'], ['insight', 'demo', 'x']]) {
      const { code, stdout, stderr } = await command([...args, '--data', folder('served')])
      expect([code, stdout]).toEqual([75, ''])
      expect(stderr).toContain(`Another Loregraph (process ${service.child.pid}) is using this data folder.`)
      expect(stderr).toContain('use --url to talk to the running service')
    }
  })

  test('66: a folder that is not there is not made by a command that only reads', async () => {
    for (const args of [['export', 'g'], ['insight', 'g', 'x'], ['key', 'list'], ['verify'], ['repair']]) {
      const { code, stdout, stderr } = await command([...args, '--data', folder('absent')])
      expect(code, args.join(' ')).toBe(66)
      expect(stdout + stderr).toContain(`There is no folder ${folder('absent')}.`)
      expect(existsSync(folder('absent'))).toBe(false)
    }
  })

  test('69: nobody answers', async () => {
    const env = { LOREGRAPH_SECRET: SECRET }
    const { code, stderr } = await command(['demo', '--url', 'http://127.0.0.1:9'], { env })
    expect(code).toBe(69)
    expect(stderr).toMatch(/^http:\/\/127\.0\.0\.1:9 cannot be reached.*Is the service running there\?\n$/)
  })

  test('77: a secret that is not known', async () => {
    const file = folder('wrong-secret')
    await writeFile(file, `${SECRET}x\n`)
    for (const args of [['demo'], ['key', 'list'], ['export', 'demo'], ['insight', 'demo', 'x']]) {
      const { code, stdout, stderr } = await command([...args, '--url', url, '--secret-file', file])
      expect([code, stdout]).toEqual([77, ''])
      expect(stderr).toContain('The secret is not known.')
      expect(stderr).not.toContain(SECRET)
    }
  })

  test('66: a secret file that is not there', async () => {
    const { code, stderr } = await command(['demo', '--url', url, '--secret-file', folder('none')])
    expect(code).toBe(66)
    expect(stderr).toBe(`--secret-file: ${folder('none')} cannot be read (ENOENT).\n`)
  })
})

describe('demo and insight', () => {
  const online = () => ({ env: { LOREGRAPH_URL: url, LOREGRAPH_SECRET: SECRET } })
  const offline = () => ({ env: { LOREGRAPH_DATA: folder('asked') } })

  test.each([
    ['offline', offline],
    ['online', online],
  ])('0: the demo is loaded once, and can be asked, %s', async (_name, where) => {
    const first = await command(['demo'], where())
    expect(first).toMatchObject({ code: 0, stderr: '' })
    expect(first.stdout).toContain('The graph demo was made of 66 events')
    const next = /^ {2}(loregraph insight .*test runner.*)$/m.exec(first.stdout)?.[1]
    expect(next).toBe('loregraph insight demo "Which test runner do we use?"')
    const again = await command(['demo', '--json'], where())
    expect(JSON.parse(again.stdout)).toEqual({ graph_id: 'demo', loaded: false, events: 0 })

    const { code, stdout } = await command(['insight', 'demo', 'Which test runner do we use?'], where())
    expect(code).toBe(0)
    expect(stdout).toMatch(
      /^Insight {5}test runner: vitest; reason: .*\n {12}Before: test runner: jest\n.*Do {10}.*\nConfidence {2}(?:high|medium)\n$/s,
    )
    expect(stdout).not.toContain('\u001b')
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
  })

  test('0: the hints of the demo lead where it was made, and can be pasted', async () => {
    const data = folder("it's here")
    const { stdout } = await command(['demo', '--data', data])
    const quoted = `'${data.replaceAll("'", `'\\''`)}'`
    expect(stdout).toContain(`loregraph insight demo "Which test runner do we use?" --data ${quoted}\n`)
    expect(stdout).toContain(`loregraph export demo --data ${quoted} | head -3\n`)
    expect(stdout).toContain(`loregraph serve --data ${quoted}\n`)
    const secret = { env: { LOREGRAPH_SECRET: SECRET } }
    expect((await command(['demo', '--url', url], secret)).stdout).toContain(
      `"Why do payments time out?" --explain --url ${url}\n`,
    )
  })

  test('0: with --explain the reasons, and each memory with its role, date and context', async () => {
    const args = ['insight', 'demo', 'Which test runner do we use?', '--explain', '--limit', '5']
    const there = await command(args, online())
    const here = await command(args, offline())
    expect(there).toMatchObject({ code: 0, stderr: '' })
    expect(here.stdout).toMatch(/^Confidence {2}(?:high|medium) \(0\.\d\d\)\n {12}- /m)
    expect(here.stdout).toMatch(
      /^1\. {2}supports, 2026-03-11, decision:test_runner {2}mem_\w{26}\n {4}test runner: vitest/m,
    )
    expect(here.stdout).toMatch(/^\d\. {2}superseded, 2026-01-08, decision:test_runner/m)
    const anonymous = (text: string) => text.replace(/mem_\w+/g, 'mem')
    expect(anonymous(there.stdout)).toBe(anonymous(here.stdout))
  })

  test('0: --json is what the service answers', async () => {
    const args = ['insight', 'demo', 'Which test runner do we use?', '--json']
    const { stdout } = await command(args, online())
    expect(stdout).toBe((await command(args, offline())).stdout)
    expect(JSON.parse(stdout)).toEqual({
      insight: expect.any(String),
      recommendation: expect.any(String),
      confidence: expect.stringMatching(/^(high|medium)$/),
    })
  })
})
