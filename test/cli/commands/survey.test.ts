import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { exitCodeOf } from '../../../src/cli/output/exits.js'
import type { Link } from '../../../src/domain/model.js'
import { openFileStore } from '../../../src/log/file-store.js'
import { event, record } from '../../store/support.js'
import { useApi } from '../../support/api.js'
import { temporaryFolder } from '../../support/folder.js'
import { runCommand } from '../../support/run-command.js'
import { SILENT } from '../../support/silent.js'

const folder = temporaryFolder()
const api = useApi()
const targets = [['the data folder'], ['a running service']] as const
type Target = (typeof targets)[number][0]

function environment(target: Target): Readonly<Record<string, string>> {
  if (target === 'the data folder') return { LOREGRAPH_DATA: join(folder, 'data') }
  return { LOREGRAPH_URL: api.server.url, LOREGRAPH_SECRET: api.server.secret }
}

const loregraph = (env: Readonly<Record<string, string>>, ...args: readonly string[]) =>
  runCommand(env, args, 200)

beforeAll(async () => {
  for (const [target] of targets) expect((await loregraph(environment(target), 'demo')).error).toBeUndefined()
})

describe.each(targets)('on %s', (target) => {
  const ask = async (...args: string[]) => {
    const { error, stdout } = await loregraph(environment(target), ...args)
    expect(error).toBeUndefined()
    return stdout
  }
  const ids = (printed: string) => printed.match(/mem_[0-9A-Z]{26}/g) ?? []

  test('status: a line for each graph, with what it holds and its latest record', async () => {
    expect(await ask('status')).toMatch(
      /^demo {2}62 memories in 42 contexts, the latest recorded at 2026-03-18T.*Z\n$/,
    )
    expect(JSON.parse(await ask('status', '--json'))).toMatchObject({
      graphs: [{ graph_id: 'demo', memories: 62, place: 66 }],
      total: 1,
    })
  })

  test('status of a graph: what it holds, of what, since when, and what of it stands', async () => {
    const printed = await ask('status', 'demo')
    expect(printed).toMatch(
      /^Graph {7}demo\nHolds {7}62 memories in 42 contexts\n {12}47 links between contexts\n/,
    )
    expect(printed).toContain('\nStatus      51 current, 7 superseded, 2 expired, 2 stale\n')
    expect(printed).toContain(
      '\nTypes       decision: 12 memories in 8 contexts\n            error: 13 memories in 7',
    )
    expect(printed).toMatch(
      /\nRecorded {4}66 statements, from 2025-.*Z to 2026-.*Z\n {12}2025-03: \d statements\n/,
    )
    expect(printed).toContain('\nPlace       66, that of the latest event\n')
    expect(JSON.parse(await ask('status', 'demo', '--json'))).toMatchObject({
      by_status: { current: 51, superseded: 7, expired: 2, stale: 2 },
    })
  })

  test('brief: the Markdown, for a task if one is given, within the characters', async () => {
    const all = await ask('brief', 'demo')
    expect(all).toMatch(/^## What stands\n- /)
    expect(all).toContain('\n## Disputed (2)\n')
    expect(all).toContain('\n## Stale (2)\n')
    expect(await ask('brief', 'demo', '--task', 'Speed up the tests')).toMatch(/^## For this task\n- /)
    const short = await ask('brief', 'demo', '--max-chars', '300')
    expect(short.length).toBeLessThanOrEqual(301)
    expect(JSON.parse(await ask('brief', 'demo', '--json')).brief.trimEnd()).toBe(all.trimEnd())
  })

  test('disputes: both sides, who said each and when', async () => {
    expect((await ask('disputes', 'demo')).replace(/mem_\w+/g, 'mem')).toBe(
      `1.  user, 2026-03-16, error:payment_timeout  mem
      Payments time out because the bank gateway is slow
    agent, 2026-03-18, error:payment_timeout  mem
      Payments time out not because the bank gateway is slow, but because our connection pool is exhausted at noon
2.  executor, 2025-12-08, project:free_shipping  mem
      observation: In a split test free shipping above 40 euros raised the average order from 31 to 37 euros
    agent, 2025-12-15, project:free_shipping  mem
      observation: Free shipping did not raise the average order: without the week of Black Friday it is 31 euros, as before
`,
    )
    expect(JSON.parse(await ask('disputes', 'demo', '--json'))).toMatchObject({
      disputes: [{}, {}],
      total: 2,
    })
  })

  test('stale: what it builds on, and what replaced that', async () => {
    expect((await ask('stale', 'demo')).replace(/mem_\w+/g, 'mem')).toBe(
      `1.  agent, 2026-01-20, tool:ci  mem
      CI runs jest in band because the workers run out of memory
      builds on mem of decision:test_runner, replaced by mem
2.  agent, 2025-03-31, procedure:release  mem
      observation: Each release takes the shop offline for 20 seconds, because there is only one machine
      builds on mem of decision:hosting, replaced by mem
`,
    )
    expect(JSON.parse(await ask('stale', 'demo', '--json'))).toMatchObject({ stale: [{}, {}], total: 2 })
  })

  test('history: the statements, what they did, and what replaced what', async () => {
    const [, old = '', latest = ''] = ids(await ask('stale', 'demo'))
    const before = await ask('history', 'demo', old)
    expect(before).toMatch(
      /^Memory .*jest.*\n {12}superseded, in decision:test_runner\nStated {6}at place \d+, .* by \w+\n/,
    )
    expect(before).toMatch(new RegExp(`\nReplaced by ${latest} at place \\d+, .*Z, by user\n`))
    expect(before).toMatch(new RegExp(`\nHolds {7}from .*Z until .*Z, then ${latest}\n`))
    const after = await ask('history', 'demo', latest)
    expect(after).toContain(`\n              supersedes ${old} of decision:test_runner\n`)
    expect(after).toMatch(new RegExp(`\nReplaced {4}${old} at place`))
    expect(JSON.parse(await ask('history', 'demo', old, '--json'))).toMatchObject({
      memory_id: old,
      statements: [{ own: true }],
      superseded_by: [{ memory_id: latest }],
    })
  })

  test('around: the contexts, the nearest first, and the links among them', async () => {
    const near = await ask('around', 'demo', 'Tool:CI')
    expect(near).toBe(`Contexts
  tool:ci: 1 memory
  decision:test_runner: 2 memories, 1 link away
  procedure:release: 2 memories, 1 link away

Links
  tool:ci -> decision:test_runner: extension, stated by 1 memory
  decision:test_runner -> decision:test_runner: contradiction, stated by 1 memory
  procedure:release -> tool:ci: related-to, stated by 1 memory
`)
    const json = JSON.parse(await ask('around', 'demo', 'tool:ci', '--depth', '3', '--json'))
    expect(json).toMatchObject({ context_id: 'tool:ci', left_out: { contexts: 0 } })
  })

  test('--as-of: an insight and an export as the graph was then', async () => {
    const question = ['insight', 'demo', 'Which test runner do we use?']
    expect(await ask(...question)).toMatch(/^Insight .*vitest/)
    expect(await ask(...question, '--as-of', '2026-01-31T00:00:00Z')).toMatch(/^Insight .*jest/)
    expect(await ask(...question, '--as-of', '2026-01-30')).toMatch(/^Insight .*jest/)
    const part = (await ask('export', 'demo', '--as-of', '3')).trimEnd().split('\n')
    expect(part).toHaveLength(5)
    expect(part.at(-1)).toContain('{"count":3,')
    const { last_recorded_at } = JSON.parse(await ask('status', 'demo', '--json'))
    const moment = last_recorded_at.replace('Z', '+00:00')
    expect(await ask('export', 'demo', '--as-of', moment)).toBe(await ask('export', 'demo'))
  })

  test('--valid-at: an insight of what was true then', async () => {
    const question = ['insight', 'demo', 'Which test runner do we use?']
    expect(await ask(...question, '--valid-at', '2026-01-30')).toMatch(/test runner: jest/)
    expect(await ask(...question, '--valid-at', '9999-12-31')).toMatch(/^Insight .*vitest/)
  })

  test.each([
    [['status', 'nope'], 'There is no graph nope'],
    [['stale', 'nope'], 'There is no graph nope'],
    [['history', 'demo', 'mem_01KJPZ6C3RS6ACV2ZXG3FQ2E8N'], 'mem_01KJPZ6C3RS6ACV2ZXG3FQ2E8N'],
    [['around', 'demo', 'tool:nope'], 'tool:nope'],
    [['insight', 'demo', 'why', '--as-of', '2020-01-01T00:00:00Z'], 'demo'],
    [['export', 'demo', '--as-of', '0'], 'demo'],
  ])('66: %j', async (args, words) => {
    const { error, stdout } = await loregraph(environment(target), ...args)
    expect(exitCodeOf(error)).toBe(66)
    expect(error?.message).toContain(words)
    expect(stdout).toBe('')
  })
})

test.each(targets)('64: a day that does not exist, on %s', async (target) => {
  for (const args of [
    ['insight', 'demo', 'why', '--valid-at', '2026-02-31'],
    ['export', 'demo', '--as-of', '2026-02-31T00:00:00Z'],
  ]) {
    const { error } = await loregraph(environment(target), ...args)
    expect(error?.message).toMatch(/^--(valid-at|as-of) must be a date or a moment/)
    expect(exitCodeOf(error)).toBe(64)
  }
})

test('a graph in which all is well says so on stderr, and nothing on stdout', async () => {
  const env = environment('a running service')
  await api.record({ graph_id: 'calm', event_kind: 'fact', payload: { fact: 'The sky is blue' } })
  expect(await loregraph(env, 'disputes', 'calm')).toMatchObject({
    stdout: '',
    stderr: 'Nothing in calm is in open contradiction.\n',
  })
  expect(await loregraph(env, 'stale', 'calm')).toMatchObject({
    stdout: '',
    stderr: 'Nothing in calm builds on something that was replaced.\n',
  })
})

test('history has all statements of a memory, however many pages they are', async () => {
  const memoryId = await api.record({ graph_id: 'often', event_kind: 'fact', payload: { fact: 'Again' } })
  const event = {
    context_id: 'fact:general',
    event_kind: 'fact',
    source: 'agent',
    payload: { fact: 'Again' },
  }
  const { context_id } = (await api.ok('getMemory', { path: { graph_id: 'often', memory_id: memoryId } }))
    .body
  const events = Array.from({ length: 600 }, () => ({ ...event, context_id }))
  await api.ok('recordEvents', { body: { graph_id: 'often', events } }, 201)
  const { stdout } = await loregraph(environment('a running service'), 'history', 'often', memoryId)
  expect(stdout.match(/at place \d+/g)).toHaveLength(601)
  expect(stdout).toMatch(/\n {12}at place 601, .*Z, by agent, again\nHolds {7}/)
})

test('around takes a name with signs that mean something in an address', async () => {
  const context_id = 'file:src/a?b#c%20.ts'
  await api.record({ graph_id: 'signs', context_id, event_kind: 'fact', payload: { fact: 'It is long' } })
  const { error, stdout } = await loregraph(environment('a running service'), 'around', 'signs', context_id)
  expect([error, stdout]).toEqual([undefined, `Contexts\n  ${context_id}: 1 memory\n`])
})

test('status tells how many memories have not been read for meaning', async () => {
  const env = { LOREGRAPH_DATA: join(folder, 'unread'), LOREGRAPH_MEANING: 'auto' }
  await loregraph(env, 'demo')
  expect((await loregraph(env, 'status')).stdout).toMatch(/; [1-9]\d* not embedded yet\n$/)
})

test('a folder without graphs says how to make one', async () => {
  const env = { LOREGRAPH_DATA: join(folder, 'empty') }
  await loregraph(env, 'key', 'create', '--name', 'x', '--scope', 'read')
  const { error, stdout, stderr } = await loregraph(env, 'status')
  expect([error, stdout]).toEqual([undefined, ''])
  expect(stderr).toContain('There are no graphs yet.')
})

test('status and stale say so when not all that is stale is found', async () => {
  // Each builds on the one before, the first on what is replaced: they are followed through 100 others.
  const chain = temporaryFolder()
  const store = await openFileStore({ folder: chain, now: () => new Date(), randomBytes, log: SILENT })
  const say = async (text: string, links: readonly Link[] = []) =>
    (await record(store, 'chain', event('a:a', text, { links }))).memoryId
  const base = await say('base')
  let last = base
  for (let i = 0; i < 103; i++) last = await say(`step ${i}`, [{ kind: 'extension', target: last }])
  await say('other', [{ kind: 'contradiction', target: base }])
  await store.close()
  const asked = (...args: string[]) => loregraph({ LOREGRAPH_DATA: chain }, ...args)
  expect((await asked('status', 'chain')).stdout).toContain(
    'some of the current ones may be stale: there are too many to find all',
  )
  expect((await asked('stale', 'chain')).stderr).toBe(
    'There may be more: settle some of these, and ask again.\n',
  )
  expect(JSON.parse((await asked('stale', 'chain', '--json')).stdout)).toMatchObject({
    total: 101,
    more_stale: true,
  })
})

describe.each([
  ['the data folder, before it is opened', { LOREGRAPH_DATA: join(folder, 'not-there') }],
  ['a running service', undefined],
])('64: a slip is named by its operand or option, on %s', (_, env) => {
  test.each([
    [['status', '.g'], 'The graph must consist of letters A to Z'],
    [['brief', 'g', '--task', ''], '--task must not be empty'],
    [['brief', 'g', '--task', 'x'.repeat(601)], '--task must have at most 600 characters.'],
    [['brief', 'g', '--max-chars', '199'], '--max-chars must be a whole number from 200 to 20000.'],
    [['disputes', '..'], 'The graph must '],
    [['history', 'g', 'mem_1'], 'The memory_id must be the id of a memory as the service gave it'],
    [['around', 'g', 'nocolon'], 'A context id is written type:name. See loregraph around --help.'],
    [['around', 'g', 'a:b', '--depth', '4'], '--depth must be a whole number from 1 to 3.'],
    [['insight', 'x'.repeat(129), 'why'], 'The graph must have at most 128 characters.'],
    [['insight', 'g', ''], 'The task must not be empty.'],
    [['insight', 'g', 'a\0'], 'The task must not hold a NUL character.'],
    [['insight', 'g', 'why', '--limit', '0'], '--limit must be a whole number from 1 to 100.'],
    [['insight', 'g', 'why', '--as-of', 'yesterday'], '--as-of must be a date, such as'],
    [['insight', 'g', 'why', '--valid-at', '3'], '--valid-at must be a date, such as'],
    [['import', 'g', '--format', 'facts', '--context', 'x'], 'A context id is written type:name.'],
    [['key', 'create', '--name', ' ', '--scope', 'read'], '--name must have a character'],
    [['key', 'create', '--name', 'x', '--scope', 'root'], '--scope must be one of read, write, admin.'],
    [['key', 'create', '--name', 'x', '--scope', 'read', '--source', 'a,b'], '--source must be one of '],
    [['key', 'revoke', 'nonsense'], 'The key_id must be the id of a key as the service gave it'],
    [['eval', '--write', 'a/b'], '--write must consist of letters'],
  ])('%j', async (args, sentence) => {
    const { error, stdout } = await loregraph(env ?? environment('a running service'), ...args)
    expect(error).toMatchObject({ exitCode: 64, message: expect.stringContaining(sentence) })
    expect(error?.message).toContain(`See loregraph ${args[0]} `)
    expect(stdout).toBe('')
    expect(existsSync(join(folder, 'not-there'))).toBe(false)
  })
})

test('a secret in the place of the id of a key is neither sent nor repeated', async () => {
  const { error } = await loregraph(environment('a running service'), 'key', 'revoke', 'lore_abcdef')
  expect(error).toMatchObject({ exitCode: 64, message: expect.stringContaining('A key is named by its id') })
  expect(error?.message).not.toContain('abcdef')
})
