import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { resolve, type Schema } from '../../../src/contract/contract.js'
import { readContract } from '../../../src/contract/read-contract.js'
import {
  answerFailure,
  answerHook,
  MAX_CONTEXT_CHARS,
  MAX_QUERY_CHARS,
} from '../../../src/domain/hooks/answer.js'
import { readHookEvent } from '../../../src/domain/hooks/event.js'
import type { RecalledItem } from '../../../src/domain/hooks/format-memories.js'
import { HOOK_HOSTS, type HookHost, type HookKind } from '../../../src/domain/hooks/hosts.js'
import { HEAD, REMINDER } from '../../../src/domain/hooks/own-words.js'
import { RememberedSessions } from '../../../src/domain/hooks/remembered-sessions.js'

const item = (id: string, parts: Partial<RecalledItem> = {}): RecalledItem => ({
  memory_id: `mem_${id}`,
  context_id: 'decision:test_runner',
  text: `decision: Use vitest (${id})`,
  source: 'user',
  status: 'current',
  occurred_at: '2026-03-02T09:30:00.000Z',
  recorded_at: '2026-03-02T09:31:00.000Z',
  disputed_by: [],
  ...parts,
})

/** A session with a graph that answers every query with the same memories. */
function world(items: readonly RecalledItem[], brief = 'What stands') {
  const [queries, briefs] = [[], []] as [string[], number[]]
  const session = new RememberedSessions().session('one')
  const ports = {
    session,
    recall: async (query: string) => {
      queries.push(query)
      return items
    },
    brief: async (most: number) => {
      briefs.push(most)
      return brief
    },
  }
  const send = (kind: HookKind, sent: object = {}, host: HookHost = 'claude-code') => {
    const event = readHookEvent(host, { session_id: 's', ...sent }, kind)
    if (event === undefined) throw new Error('no event')
    return answerHook(event, ports)
  }
  /** The text that gets into the conversation of Claude Code. */
  const told = async (kind: HookKind, sent: object = {}): Promise<string | undefined> => {
    const answer = await send(kind, sent)
    return answer && JSON.parse(answer).hookSpecificOutput.additionalContext
  }
  return { queries, briefs, send, told }
}

describe('a prompt', () => {
  test('is answered with the memories, each with its date and that it may be outdated', async () => {
    const { told, queries } = world([item('a'), item('b', { recorded_at: '2026-04-01T00:00:00.000Z' })])
    const text = await told('prompt', { prompt: 'Which test runner?' })
    expect(queries).toEqual(['Which test runner?'])
    expect(text?.split('\n').slice(1)).toEqual([
      '- **decision:test_runner** (recorded 2026-03-02 by user, may be outdated): decision: Use vitest (a)',
      '- **decision:test_runner** (of 2026-03-02, recorded 2026-04-01 by user, may be outdated): decision: Use vitest (b)',
    ])
  })

  test('that nothing fits is answered with nothing', async () => {
    expect(await world([]).told('prompt', { prompt: 'thanks for that' })).toBeUndefined()
  })

  test.each(['thanks', 'continue!', ' stop\n', 'はい'])(
    'of one word is not asked for: %s',
    async (prompt) => {
      const { told, queries } = world([item('a')])
      expect(await told('prompt', { prompt })).toBeUndefined()
      expect(queries).toEqual([])
    },
  )

  test('in a script without spaces is asked for', async () => {
    const { told, queries } = world([item('a')])
    await told('prompt', { prompt: 'データベースの接続はどこですか' })
    expect(queries).toHaveLength(1)
  })

  test.each(['', '   \n', '\0'])('that is blank is not asked for', async (prompt) => {
    const { told, queries } = world([item('a')])
    expect(await told('prompt', { prompt })).toBeUndefined()
    expect(queries).toEqual([])
  })

  test('gets no memory twice, but one that it has not had', async () => {
    const items = [item('a')]
    const { told } = world(items)
    expect(await told('prompt', { prompt: 'a b' })).toContain('(a)')
    expect(await told('prompt', { prompt: 'a b' })).toBeUndefined()
    items.push(item('b'))
    const text = await told('prompt', { prompt: 'a b' })
    expect(text).toContain('(b)')
    expect(text).not.toContain('(a)')
  })

  test('gets a memory again once the conversation was compacted, and only then', async () => {
    const { told } = world([item('a')])
    await told('prompt', { prompt: 'a b' })
    await told('start', { source: 'resume' })
    expect(await told('prompt', { prompt: 'a b' })).toBeUndefined()
    await told('start', { source: 'compact' })
    expect(await told('prompt', { prompt: 'a b' })).toContain('(a)')
  })

  test('gets nothing that was replaced or has expired, and is told what is stale or planned', async () => {
    const { told } = world([
      item('a', { status: 'superseded' }),
      item('b', { status: 'expired' }),
      item('c', { status: 'stale' }),
      item('d', { status: 'planned', valid_from: '2027-01-01T00:00:00.000Z' }),
    ])
    const text = await told('prompt', { prompt: 'a b' })
    expect(text).not.toMatch(/\((a|b)\)/)
    expect(text).toContain(
      'builds on something that was replaced, may be outdated): decision: Use vitest (c)',
    )
    expect(text).toContain('holds from 2027-01-01, may be outdated): decision: Use vitest (d)')
  })

  test('is told what is disputed', async () => {
    const { told } = world([item('a', { disputed_by: ['mem_b'] }), item('c')])
    const [, first, second] = (await told('prompt', { prompt: 'a b' }))?.split('\n') ?? []
    expect(first).toContain('by user, disputed, may be outdated)')
    expect(second).not.toContain('disputed')
  })

  test(`gets at most ${MAX_CONTEXT_CHARS} characters; what did not fit may come later`, async () => {
    const long = Array.from({ length: 5 }, (_, i) => item(String(i), { text: `${i} ${'word '.repeat(160)}` }))
    const { told } = world(long)
    const [first, second] = [await told('prompt', { prompt: 'a b' }), await told('prompt', { prompt: 'a b' })]
    for (const text of [first, second]) expect(text?.length).toBeLessThanOrEqual(MAX_CONTEXT_CHARS)
    expect(first).toContain('): 0 word')
    expect(second).not.toContain('): 0 word')
    expect(second).toContain('): 2 word')
  })

  test('a memory is one line, whatever its text holds', async () => {
    const { told } = world([item('a', { text: 'one\n- **two** (recorded today): \u2028 three' })])
    expect((await told('prompt', { prompt: 'a b' }))?.split(/[\n\u2028]/)).toHaveLength(2)
  })

  test('that is too long for a query is cut, not refused, and not in the middle of a character', async () => {
    const { told, queries } = world([])
    await told('prompt', { prompt: `${'x '.repeat(MAX_QUERY_CHARS / 2 - 1)}x😀 and more` })
    expect(queries).toEqual([`${'x '.repeat(MAX_QUERY_CHARS / 2 - 1)}x`])
  })

  test('a query is as long as the contract allows', () => {
    const yaml = readFileSync(new URL('../../../openapi/openapi.yaml', import.meta.url), 'utf8')
    const { document } = readContract(yaml)
    const schema = resolve<Schema>(document, { $ref: '#/components/schemas/RecallRequest' })
    expect(schema.properties?.['query']).toMatchObject({ maxLength: MAX_QUERY_CHARS })
  })
})

describe('the start of a session', () => {
  test('is answered with the brief, under the same head as a prompt', async () => {
    const { told, briefs } = world([item('a')], 'What stands\n')
    const text = await told('start')
    expect(text).toBe(`${HEAD}What stands`)
    expect(briefs).toEqual([MAX_CONTEXT_CHARS - HEAD.length])
    expect((await told('prompt', { prompt: 'a b' }))?.startsWith(HEAD)).toBe(true)
  })

  test('is answered with nothing if the brief is blank', async () =>
    expect(await world([], '\n').told('start')).toBeUndefined())

  test('after a compaction reminds of what was not recorded, and only then', async () => {
    const { send, told } = world([], 'What stands')
    const compacted = () => told('start', { source: 'compact' })
    expect(await compacted()).toBe(`${HEAD}What stands`)
    await send('tool', { tool_name: 'Edit' })
    expect(await told('start', { source: 'resume' })).toBe(`${HEAD}What stands`)
    expect(await compacted()).toMatch(
      /What stands\n\nFiles were changed before this conversation was compacted/,
    )
    await send('tool', { tool_name: 'mcp__loregraph__record' })
    expect(await compacted()).toBe(`${HEAD}What stands`)
  })
})

describe('what is asked is what the person wrote', () => {
  const asked = async (prompt: string) => {
    const { told, queries } = world([])
    await told('prompt', { prompt })
    return queries
  }

  test.each([
    '<hook_context>## What stands\n- a: b</hook_context>\n\nWhich test runner?',
    'Which test runner?\n<system_reminder>now</system_reminder>',
    '<system-reminder>x</system-reminder><current_datetime>2026</current_datetime> Which test runner?',
    `${HEAD}- **a:b** (recorded 2026-03-02 by user, may be outdated): text\nWhich test runner?`,
    `${REMINDER} Which test runner?`,
  ])('%j', async (prompt) => expect(await asked(prompt)).toEqual(['Which test runner?']))

  test('a block that is not closed stays', async () =>
    expect(await asked('What does <hook_context> mean?')).toEqual(['What does <hook_context> mean?']))

  test('a reminder that a host sends on as a prompt is not asked for', async () =>
    expect(await asked(`${REMINDER}\n`)).toEqual([]))

  test('a long prompt of open blocks takes no time', async () => {
    const started = performance.now()
    await asked('<hook_context>- **'.repeat(200_000))
    expect(performance.now() - started).toBeLessThan(2000)
  })
})

describe('the end', () => {
  const edit = { tool_name: 'Edit' }

  test('a session that changed files is reminded to record, once', async () => {
    const { send } = world([])
    expect(await send('tool', edit)).toBeUndefined()
    expect(JSON.parse((await send('stop')) ?? '')).toEqual({
      decision: 'block',
      reason: expect.stringContaining('record it in Loregraph'),
    })
    expect(await send('stop')).toBeUndefined()
  })

  test('one that changed nothing is left alone', async () => {
    const { send } = world([])
    await send('tool', { tool_name: 'Read' })
    expect(await send('stop')).toBeUndefined()
  })

  test('one that goes on because of a hook is left alone', async () => {
    const { send } = world([])
    await send('tool', edit)
    expect(await send('stop', { stop_hook_active: true })).toBeUndefined()
    expect(await send('stop', { stop_hook_active: false })).toBeDefined()
  })

  test('one that has recorded something is left alone', async () => {
    const { send } = world([])
    await send('tool', edit)
    await send('tool', { tool_name: 'mcp__plugin_loregraph_loregraph__record' })
    expect(await send('stop')).toBeUndefined()
  })
})

describe('an agent that another has started', () => {
  const sub = { agent_id: 'a1' }

  test('is reminded of what it did itself, and once', async () => {
    const { send } = world([])
    await send('tool', { tool_name: 'Edit', ...sub })
    expect(await send('subagent-stop', { agent_id: 'a2' })).toBeUndefined()
    expect(JSON.parse((await send('subagent-stop', sub)) ?? '')).toEqual({
      decision: 'block',
      reason: REMINDER,
    })
    expect(await send('subagent-stop', sub)).toBeUndefined()
    expect(await send('stop')).toBeDefined()
  })

  test('that has recorded leaves nothing to remind of', async () => {
    const { send } = world([])
    await send('tool', { tool_name: 'Edit', ...sub })
    await send('tool', { tool_name: 'mcp__loregraph__record', ...sub })
    expect(await send('subagent-stop', sub)).toBeUndefined()
    expect(await send('stop')).toBeUndefined()
  })
})

describe('before a compaction and at the end of a session', () => {
  test.each([
    ['claude-code', 'compact', 'systemMessage'],
    ['claude-code', 'end', 'systemMessage'],
    ['codex', 'compact', 'systemMessage'],
    ['gemini', 'compact', 'systemMessage'],
    ['gemini', 'end', 'systemMessage'],
    ['cursor', 'compact', 'user_message'],
  ] as const)('%s, %s: the person is told what is not recorded', async (host, kind, field) => {
    const { send } = world([])
    expect(await send(kind, {}, host)).toBeUndefined()
    await send('tool', { tool_name: 'write_file' }, host)
    expect(JSON.parse((await send(kind, {}, host)) ?? '')).toEqual({
      [field]: expect.stringContaining('nothing was recorded'),
    })
    await send('tool', { tool_name: 'mcp__loregraph__record' }, host)
    expect(await send(kind, {}, host)).toBeUndefined()
  })
})

describe('what could not be asked', () => {
  const failure = (host: HookHost, kind: HookKind) => {
    const event = readHookEvent(host, {}, kind)
    return event && answerFailure(event, 'It is down.')
  }

  test.each(HOOK_HOSTS)('%s: is said at the start, and not with a prompt', (host) => {
    expect(failure(host, 'start')).toContain('Loregraph: It is down. This session goes on without')
    expect(failure(host, 'prompt')).toBeUndefined()
  })
})

describe('the forms of hosts', () => {
  const text = expect.stringContaining('(a)')
  const specific = (hookEventName: string) => ({
    hookSpecificOutput: { hookEventName, additionalContext: text },
  })
  const forms: Readonly<Record<HookHost, unknown>> = {
    'claude-code': specific('UserPromptSubmit'),
    codex: specific('UserPromptSubmit'),
    copilot: { additionalContext: text },
    gemini: specific('BeforeAgent'),
    cursor: { continue: true, additional_context: text },
  }

  test.each(HOOK_HOSTS)('%s: a prompt', async (host) =>
    expect(JSON.parse((await world([item('a')]).send('prompt', { prompt: 'a b' }, host)) ?? '')).toEqual(
      forms[host],
    ),
  )

  test('cursor: a start', async () =>
    expect(JSON.parse((await world([]).send('start', {}, 'cursor')) ?? '')).toEqual({
      additional_context: expect.stringContaining('What stands'),
    }))

  test.each([
    ['codex', { tool_name: 'apply_patch' }, 'decision'],
    ['copilot', { toolName: 'edit' }, 'decision'],
    ['cursor', { file_path: 'a.ts' }, 'followup_message'],
  ] as const)('%s: a reminder', async (host, tool, field) => {
    const { send } = world([])
    await send('tool', tool, host)
    expect(JSON.parse((await send('stop', {}, host)) ?? '')).toHaveProperty(field)
  })

  test('gemini: a reminder', async () => {
    const { send } = world([])
    await send('tool', { tool_name: 'write_file' }, 'gemini')
    expect(JSON.parse((await send('stop', {}, 'gemini')) ?? '')).toEqual({
      decision: 'deny',
      reason: REMINDER,
    })
    expect(await send('stop', { stop_hook_active: true }, 'gemini')).toBeUndefined()
  })

  test('cursor: one that has recorded is not reminded', async () => {
    const { send } = world([])
    await send('tool', { file_path: 'a.ts' }, 'cursor')
    await send('tool', { tool_name: 'record', tool_input: '{}' }, 'cursor')
    expect(await send('stop', {}, 'cursor')).toBeUndefined()
  })
})
