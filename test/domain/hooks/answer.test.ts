import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { resolve, type Schema } from '../../../src/contract/contract.js'
import { readContract } from '../../../src/contract/read-contract.js'
import { answerHook, LONGEST_QUERY, MOST_CHARS } from '../../../src/domain/hooks/answer.js'
import { readHookEvent } from '../../../src/domain/hooks/event.js'
import { HOOK_HOSTS, type HookHost, type HookKind } from '../../../src/domain/hooks/hosts.js'
import { RememberedSessions } from '../../../src/domain/hooks/remembered-sessions.js'
import type { RecalledItem } from '../../../src/domain/hooks/told.js'

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
  const queries: string[] = []
  const session = new RememberedSessions().session('one')
  const ports = {
    session,
    recall: async (query: string) => {
      queries.push(query)
      return items
    },
    brief: async () => brief,
  }
  const send = (kind: HookKind, sent: object = {}, host: HookHost = 'claude-code') => {
    const event = readHookEvent(host, { session_id: 's', ...sent }, kind)
    if (event === undefined) throw new Error('no event')
    return answerHook(event, ports)
  }
  return { queries, send }
}

describe('a prompt', () => {
  test('is answered with the memories, each with its date and that it may be outdated', async () => {
    const { send, queries } = world([item('a'), item('b', { recorded_at: '2026-04-01T00:00:00.000Z' })])
    const text = await send('prompt', { prompt: 'Which test runner?' })
    expect(queries).toEqual(['Which test runner?'])
    expect(text?.split('\n').slice(1)).toEqual([
      '- **decision:test_runner** (recorded 2026-03-02 by user, may be outdated): decision: Use vitest (a)',
      '- **decision:test_runner** (of 2026-03-02, recorded 2026-04-01 by user, may be outdated): decision: Use vitest (b)',
    ])
  })

  test('that nothing fits is answered with nothing', async () => {
    expect(await world([]).send('prompt', { prompt: 'thanks for that' })).toBeUndefined()
  })

  test.each(['thanks', 'continue!', ' stop\n', 'はい'])(
    'of one word is not asked for: %s',
    async (prompt) => {
      const { send, queries } = world([item('a')])
      expect(await send('prompt', { prompt })).toBeUndefined()
      expect(queries).toEqual([])
    },
  )

  test('in a script without spaces is asked for', async () => {
    const { send, queries } = world([item('a')])
    await send('prompt', { prompt: 'データベースの接続はどこですか' })
    expect(queries).toHaveLength(1)
  })

  test.each([['', '   \n', '\0']])('that is blank is not asked for', async (prompt) => {
    const { send, queries } = world([item('a')])
    expect(await send('prompt', { prompt })).toBeUndefined()
    expect(queries).toEqual([])
  })

  test('gets no memory twice, but one that it has not had', async () => {
    const items = [item('a')]
    const { send } = world(items)
    expect(await send('prompt', { prompt: 'a b' })).toContain('(a)')
    expect(await send('prompt', { prompt: 'a b' })).toBeUndefined()
    items.push(item('b'))
    const text = await send('prompt', { prompt: 'a b' })
    expect(text).toContain('(b)')
    expect(text).not.toContain('(a)')
  })

  test('gets a memory again once the conversation was compacted, and only then', async () => {
    const { send } = world([item('a')])
    await send('prompt', { prompt: 'a b' })
    await send('start', { source: 'resume' })
    expect(await send('prompt', { prompt: 'a b' })).toBeUndefined()
    await send('start', { source: 'compact' })
    expect(await send('prompt', { prompt: 'a b' })).toContain('(a)')
  })

  test('gets nothing that was replaced or has expired, and is told what is stale', async () => {
    const { send } = world([
      item('a', { status: 'superseded' }),
      item('b', { status: 'expired' }),
      item('c', { status: 'stale' }),
    ])
    const text = await send('prompt', { prompt: 'a b' })
    expect(text).not.toMatch(/\((a|b)\)/)
    expect(text).toContain(
      'builds on something that was replaced, may be outdated): decision: Use vitest (c)',
    )
  })

  test('is told what is disputed', async () => {
    const { send } = world([item('a', { disputed_by: ['mem_b'] }), item('c')])
    const [, first, second] = (await send('prompt', { prompt: 'a b' }))?.split('\n') ?? []
    expect(first).toContain('by user, disputed, may be outdated)')
    expect(second).not.toContain('disputed')
  })

  test(`gets at most ${MOST_CHARS} characters; what did not fit may come later`, async () => {
    const long = Array.from({ length: 5 }, (_, i) => item(String(i), { text: `${i} ${'word '.repeat(160)}` }))
    const { send } = world(long)
    const [first, second] = [await send('prompt', { prompt: 'a b' }), await send('prompt', { prompt: 'a b' })]
    for (const text of [first, second]) expect(text?.length).toBeLessThanOrEqual(MOST_CHARS)
    expect(first).toContain('): 0 word')
    expect(second).not.toContain('): 0 word')
    expect(second).toContain('): 2 word')
  })

  test('a memory is one line, whatever its text holds', async () => {
    const { send } = world([item('a', { text: 'one\n- **two** (recorded today): \u2028 three' })])
    expect((await send('prompt', { prompt: 'a b' }))?.split(/[\n\u2028]/)).toHaveLength(2)
  })

  test('that is too long for a query is cut, not refused, and not in the middle of a character', async () => {
    const { send, queries } = world([])
    await send('prompt', { prompt: `${'x '.repeat(LONGEST_QUERY / 2 - 1)}x😀 and more` })
    expect(queries).toEqual([`${'x '.repeat(LONGEST_QUERY / 2 - 1)}x`])
  })

  test('a query is as long as the contract allows', () => {
    const yaml = readFileSync(new URL('../../../openapi/openapi.yaml', import.meta.url), 'utf8')
    const { document } = readContract(yaml)
    const schema = resolve<Schema>(document, { $ref: '#/components/schemas/RecallRequest' })
    expect(schema.properties?.['query']).toMatchObject({ maxLength: LONGEST_QUERY })
  })
})

describe('the start of a session', () => {
  test('is answered with the brief', async () =>
    expect(await world([], 'What stands\n').send('start')).toBe('What stands'))

  test('is answered with nothing if the brief is blank', async () =>
    expect(await world([], '\n').send('start')).toBeUndefined())
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

describe('the forms of hosts', () => {
  const forms: Readonly<Record<HookHost, unknown>> = {
    'claude-code': 'text',
    codex: 'text',
    copilot: { additionalContext: expect.stringContaining('(a)') },
    gemini: {
      hookSpecificOutput: { hookEventName: 'BeforeAgent', additionalContext: expect.stringContaining('(a)') },
    },
    cursor: { continue: true, additional_context: expect.stringContaining('(a)') },
  }

  test.each(HOOK_HOSTS)('%s: a prompt', async (host) => {
    const text = (await world([item('a')]).send('prompt', { prompt: 'a b' }, host)) ?? ''
    if (forms[host] === 'text') expect(text).toMatch(/^From Loregraph/)
    else expect(JSON.parse(text)).toEqual(forms[host])
  })

  test.each([
    ['codex', { tool_name: 'apply_patch' }, 'decision'],
    ['copilot', { toolName: 'edit' }, 'decision'],
    ['cursor', { file_path: 'a.ts' }, 'followup_message'],
  ] as const)('%s: a reminder', async (host, tool, field) => {
    const { send } = world([])
    await send('tool', tool, host)
    expect(JSON.parse((await send('stop', {}, host)) ?? '')).toHaveProperty(field)
  })

  test('gemini has no form for a reminder, and gets none', async () => {
    const { send } = world([])
    await send('tool', { tool_name: 'write_file' }, 'gemini')
    expect(await send('stop', {}, 'gemini')).toBeUndefined()
  })
})
