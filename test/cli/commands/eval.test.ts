import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { useApi } from '../../support/api.js'
import { temporaryFolder } from '../../support/folder.js'
import { runCommand } from '../../support/run-command.js'

const folder = temporaryFolder()
const at = (name: string) => join(folder, name)

/** On the data folder unless the environment says otherwise. */
const loregraph = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  runCommand({ LOREGRAPH_DATA: at('data'), ...env }, args)

const FILE = at('cases.yaml')
const CASES = `graph: demo
cases:
  - ask: Which test runner do we use?
    must: [vitest]
    must_not: [jest]
    confidence: [high, medium]
  - ask: Why do payments time out?
    must: [connection pool, mitochondria]
    confidence: high
  - ask: Which colour is the bike shed?
    confidence: low
`

beforeAll(async () => {
  await loregraph(['demo'])
  await writeFile(FILE, CASES)
})

describe('1: a case failed', () => {
  test('a line a case, what is wrong with those that failed, and how many passed', async () => {
    const { error, stdout } = await loregraph(['eval', FILE])
    expect(error).toMatchObject({ exitCode: 1, message: '1 of 3 cases failed.' })
    expect(stdout).toMatch(/^passed {2}(high {2}|medium) {2}Which test runner do we use\?\n/)
    expect(stdout).toMatch(/^FAILED {2}medium {2}Why do payments time out\?$/m)
    expect(stdout).toContain('\n                - "mitochondria" is missing\n')
    expect(stdout).toContain('\n                - the confidence is medium, not high\n')
    expect(stdout).toMatch(/\npassed {2}low {5}Which colour is the bike shed\?\n2 of 3 passed\.\n$/)
  })

  test('--junit and --json say the same', async () => {
    const { error, stdout } = await loregraph(['eval', FILE, '--json', '--junit', at('report.xml')])
    expect(error?.exitCode).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({
      cases: [
        { ask: 'Which test runner do we use?', graph: 'demo', passed: true, wrong: [] },
        { passed: false, confidence: 'medium', wrong: ['"mitochondria" is missing', expect.any(String)] },
        { passed: true, confidence: 'low' },
      ],
      passed: 2,
      failed: 1,
    })
    const report = await readFile(at('report.xml'), 'utf8')
    expect(report).toContain('<testsuites name="loregraph eval" tests="3" failures="1">')
    expect(report).toContain(
      '<failure message="&quot;mitochondria&quot; is missing; the confidence is medium',
    )
  })
})

describe('0: --write drafts cases that pass', () => {
  test('to a file, which is never written over', async () => {
    const file = at('drafted.yaml')
    const { error, stderr } = await loregraph(['eval', file, '--write', 'demo'])
    expect(error).toBeUndefined()
    expect(stderr).toMatch(/^\d+ cases are in .*drafted\.yaml\. Ask them with: loregraph eval .*\n$/)
    const drafted = await readFile(file, 'utf8')
    expect(drafted).toContain('  - ask: What is the test runner?\n    must: [mem_')
    expect((await loregraph(['eval', file])).error).toBeUndefined()
    const again = await loregraph(['eval', file, '--write', 'demo'])
    expect(again.error).toMatchObject({ exitCode: 73, message: expect.stringContaining('is there already') })
    expect(await readFile(file, 'utf8')).toBe(drafted)
  })

  test('to stdout where no file is named', async () => {
    const { error, stdout, stderr } = await loregraph(['eval', '--write', 'demo'])
    expect([error, stderr]).toEqual([undefined, ''])
    expect(stdout).toBe(await readFile(at('drafted.yaml'), 'utf8'))
  })
})

describe('a running service', () => {
  const api = useApi(async (it) => {
    await it.record({
      context_id: 'decision:test_runner',
      event_kind: 'decision',
      payload: { decision: 'Use vitest' },
    })
  })

  test('0: is asked as the folder is, and drafted from', async () => {
    const { server } = api
    const env = { LOREGRAPH_URL: server.url, LOREGRAPH_SECRET: server.secret }
    const file = at('remote.yaml')
    expect((await loregraph(['eval', file, '--write', 'demo'], env)).error).toBeUndefined()
    const { error, stdout } = await loregraph(['eval', file], env)
    expect(error).toBeUndefined()
    expect(stdout).toMatch(/^passed .*What is the decision of test runner\?\n1 of 1 passed\.\n$/)
  })
})

describe('what cannot be done is said before anything is opened', () => {
  test.each([
    [['eval'], 64, 'eval needs a file of cases, or --write <graph> to draft one.'],
    [['eval', '--write', '.g'], 64, '--write must consist of letters'],
    [['eval', '--write', 'demo', '--json'], 64, '--junit and --json go with a file of cases'],
    [['eval', at('none.yaml')], 66, 'none.yaml cannot be read (ENOENT).'],
  ])('%j', async (args, exitCode, sentence) => {
    const { error, stdout } = await loregraph(args, { LOREGRAPH_DATA: at('not-there') })
    expect(error).toMatchObject({ exitCode, message: expect.stringContaining(sentence) })
    expect(stdout).toBe('')
  })

  test.each([
    ['limit: 101', '/body/limit must be a whole number from 1 to 100.'],
    ['limit: many', '/body/limit must be a whole number from 1 to 100.'],
    ['graph: .g', '/body/graph_id must consist of letters'],
  ])('65: a case that the service does not take, %s', async (line, sentence) => {
    await writeFile(at('beyond.yaml'), `${CASES}    ${line}\n`)
    const { error } = await loregraph(['eval', at('beyond.yaml')])
    expect(error).toMatchObject({ exitCode: 65 })
    expect(error?.message).toContain(`beyond.yaml: "Which colour is the bike shed?": ${sentence}`)
  })

  test('65: a file with mistakes', async () => {
    await writeFile(at('wrong.yaml'), CASES.replace('must_not', 'mustnot'))
    const { error } = await loregraph(['eval', at('wrong.yaml')], { LOREGRAPH_DATA: at('not-there') })
    expect(error).toMatchObject({
      exitCode: 65,
      message: `${at('wrong.yaml')}:5: "mustnot" is no field of a case. Did you mean must_not?`,
    })
  })

  test('66: a graph that does not exist', async () => {
    await writeFile(at('nowhere.yaml'), CASES.replace('graph: demo', 'graph: nope'))
    const { error } = await loregraph(['eval', at('nowhere.yaml')])
    expect(error).toMatchObject({
      exitCode: 66,
      message: `${at('nowhere.yaml')}: "Which test runner do we use?": There is no graph nope. Record an event in it first.`,
    })
  })
})
