import { describe, expect, test } from 'vitest'
import { isForHook, readArgs } from '../../src/cli/args.js'
import { COMMANDS } from '../../src/cli/commands.js'
import { helpFor } from '../../src/cli/help.js'
import { EXITS, Stop } from '../../src/cli/output/exits.js'
import { OPTION_NAMES } from '../../src/cli/parse/options.js'

function mistake(...args: string[]): string {
  try {
    readArgs(args)
  } catch (error) {
    expect(error).toBeInstanceOf(Stop)
    expect(error).toMatchObject({ exitCode: 64 })
    return error instanceof Error ? error.message : ''
  }
  throw new Error('It was taken.')
}

describe('what is asked', () => {
  test.each([
    [[], 'serve', {}, []],
    [['--demo'], 'serve', { demo: true }, []],
    [['serve', '--port=0', '--data', 'x'], 'serve', { port: '0', data: 'x' }, []],
    [['--data', 'x', 'export', 'g'], 'export', { data: 'x' }, ['g']],
    [['repair', '--truncate'], 'repair', { truncate: true }, []],
    [
      ['key', 'create', '--scope', 'read', '--scope', 'write', '--name', 'a b'],
      'key create',
      { scope: ['read', 'write'], name: 'a b' },
      [],
    ],
    [['insight', 'g', '--', '--why?'], 'insight', {}, ['g', '--why?']],
    [['import', 'g', '-'], 'import', {}, ['g', '-']],
    [['insight', 'g', 'why', '--limit=-1'], 'insight', { limit: '-1' }, ['g', 'why']],
  ])('%j', (args, command, values, operands) => {
    expect(readArgs(args)).toEqual({ asks: 'command', command, values, operands })
  })

  test('help and the version, whatever else is wrong', () => {
    expect(readArgs(['--help'])).toEqual({ asks: 'help', about: [] })
    expect(readArgs(['sevre', '-h', '--prot', '1'])).toEqual({ asks: 'help', about: [] })
    expect(readArgs(['help', 'export'])).toMatchObject({ asks: 'help', about: [{ name: 'export' }] })
    expect(readArgs(['key', '--help'])).toMatchObject({ about: [{}, {}, {}] })
    expect(readArgs(['key', 'list', '--help'])).toMatchObject({ about: [{ name: 'key list' }] })
    expect(readArgs(['--version', '--nonsense'])).toEqual({ asks: 'version' })
  })
})

describe('64: a mistake is named, with what was meant', () => {
  test.each([
    [['sevre'], 'There is no command "sevre". Did you mean serve? See loregraph --help.'],
    [['xyzzy'], 'There is no command "xyzzy". See loregraph --help.'],
    [['exprot', 'g'], 'There is no command "exprot". Did you mean export? See loregraph --help.'],
    [['key'], 'key needs a second word: key create, key list, key revoke. See loregraph --help.'],
    [
      ['key', 'delete'],
      'There is no command "key delete": key create, key list, key revoke. See loregraph --help.',
    ],
    [['--prot', '1'], 'There is no option --prot. Did you mean --port? See loregraph serve --help.'],
    [
      ['export', 'g', '--jsno'],
      'There is no option --jsno. Did you mean --json? See loregraph export --help.',
    ],
    [['-x'], 'There is no option -x. See loregraph serve --help.'],
    [['--port'], '--port needs a value: --port <port>. See loregraph serve --help.'],
    [['--data', '--demo'], '--data needs a value: --data <folder>. See loregraph serve --help.'],
    [['--demo=1'], '--demo takes no value. See loregraph serve --help.'],
    [['--port', '1', '--port', '2'], '--port was given twice. See loregraph serve --help.'],
    [
      ['verify', '--demo'],
      '--demo means nothing to verify; it goes with serve. See loregraph verify --help.',
    ],
    [['--truncate'], '--truncate means nothing to serve; it goes with repair. See loregraph serve --help.'],
    [['serve', 'now'], '"now" means nothing here. See loregraph serve --help.'],
    [['export'], 'export needs a graph. See loregraph export --help.'],
    [['insight', 'g'], 'insight needs a task. See loregraph insight --help.'],
  ])('%j', (args, sentence) => expect(mistake(...args)).toBe(sentence))

  test('all of them at once', () => {
    expect(mistake('verify', '--demo', '--prot', '--data').split('\n')).toEqual([
      'There is no option --prot. Did you mean --port?',
      '--data needs a value: --data <folder>.',
      '--demo means nothing to verify; it goes with serve.',
      'See loregraph verify --help.',
    ])
  })

  test('the secret is no option, since options show in lists of processes', () => {
    expect(mistake('key', 'list', '--secret', 'x')).toContain('There is no option --secret.')
  })
})

describe('help', () => {
  test.each(COMMANDS.map((command) => [command.name, command] as const))('%s teaches', (name, command) => {
    const text = helpFor([command])
    expect(text).toContain(`Usage: loregraph ${name}`)
    for (const option of command.options) expect(text).toContain(`--${option}`)
    for (const exit of command.exits) expect(text).toContain(`${EXITS[exit].code}`)
    expect(command.examples.length).toBeGreaterThan(0)
    for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(130)
  })

  test.each(COMMANDS.flatMap(({ examples }) => examples.map(([line]) => [line] as const)))(
    'the example is one that the program takes: %s',
    (line) => {
      const words = /loregraph (.*?)(?:\|.*)?$/.exec(line)?.[1] ?? ''
      const args = [...words.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')
      expect(readArgs(args)).toMatchObject({ asks: 'command' })
    },
  )

  test('the overview has every command and every exit code, each of them once', () => {
    const text = helpFor([])
    for (const { name, summary } of COMMANDS)
      expect(text).toMatch(new RegExp(`^  ${name}.*  ${summary.slice(0, 20)}`, 'm'))
    const codes = Object.values(EXITS).map(({ code }) => code)
    expect(new Set(codes).size).toBe(codes.length)
    for (const { code, means } of Object.values(EXITS)) expect(text).toContain(`${code}`.padEnd(4) + means)
  })

  test('every option belongs to a command', () => {
    const used = new Set<string>(COMMANDS.flatMap(({ options }) => options))
    expect(OPTION_NAMES.filter((name) => !used.has(name))).toEqual(['help', 'version'])
  })
})

describe('a line is for the command hook', () => {
  test.each([
    [['hook', 'prompt'], true],
    [['--graph', 'demo', 'hook', 'prompt'], true],
    [['--grahp', 'demo', 'hook', 'prompt'], true],
    [['--graph', 'hook', 'prompt'], true],
    [['import', 'hook', '--bogus'], false],
    [['insight', 'hook', 'Which port?'], false],
    [['--graph', 'hook', 'mcp'], false],
    [[], false],
  ])('%j: %s', (args, expected) => expect(isForHook(args)).toBe(expected))
})
