import { describe, expect, test } from 'vitest'
import { readHookEvent } from '../../../src/domain/hooks/event.js'

describe('an event', () => {
  test.each([
    ['claude-code', { hook_event_name: 'UserPromptSubmit', session_id: 's', prompt: 'x' }, 'prompt'],
    ['claude-code', { hook_event_name: 'SessionStart', session_id: 's', source: 'startup' }, 'start'],
    ['claude-code', { hook_event_name: 'PostToolUse', session_id: 's', tool_name: 'Edit' }, 'tool'],
    ['codex', { hook_event_name: 'Stop', session_id: 's', stop_hook_active: false }, 'stop'],
    ['gemini', { hook_event_name: 'BeforeAgent', session_id: 's', prompt: 'x' }, 'prompt'],
    ['cursor', { hook_event_name: 'beforeSubmitPrompt', conversation_id: 's', prompt: 'x' }, 'prompt'],
    ['claude-code', { hook_event_name: 'SubagentStop', session_id: 's', agent_id: 'a' }, 'subagent-stop'],
    ['claude-code', { hook_event_name: 'PreCompact', session_id: 's', trigger: 'auto' }, 'compact'],
    ['claude-code', { hook_event_name: 'SessionEnd', session_id: 's', reason: 'exit' }, 'end'],
    ['gemini', { hook_event_name: 'SessionEnd', session_id: 's' }, 'end'],
    ['cursor', { hook_event_name: 'afterMCPExecution', conversation_id: 's', tool_name: 'x' }, 'tool'],
    ['copilot', { sessionId: 's', prompt: 'x', cwd: '/' }, 'prompt'],
    ['copilot', { sessionId: 's', toolName: 'edit' }, 'tool'],
    ['copilot', { sessionId: 's', source: 'new' }, 'start'],
  ] as const)('of %s: %j', (host, sent, kind) =>
    expect(readHookEvent(host, sent)).toMatchObject({ host, kind, session: 's' }),
  )

  test('of Gemini before each request to the model is none', () =>
    expect(readHookEvent('gemini', { hook_event_name: 'PreCompress', session_id: 's' })).toBeUndefined())

  test('is what the hook was called for, whatever it says itself', () =>
    expect(readHookEvent('codex', { hook_event_name: 'Stop' }, 'prompt')?.kind).toBe('prompt'))

  test.each([
    [null],
    [[]],
    ['x'],
    [7],
    [{}],
    [{ hook_event_name: 'Notification' }],
    [{ hook_event_name: 7 }],
  ])('that is none of ours is none: %j', (sent) => expect(readHookEvent('claude-code', sent)).toBeUndefined())

  test('fields of another type are as if they were absent', () =>
    expect(readHookEvent('claude-code', { session_id: 7, prompt: ['x'], loop_count: 'x' }, 'prompt')).toEqual(
      {
        host: 'claude-code',
        kind: 'prompt',
        session: undefined,
        agent: undefined,
        prompt: '',
        changedFiles: false,
        recorded: false,
        isContinuing: false,
        clearedBy: undefined,
      },
    ))
})
