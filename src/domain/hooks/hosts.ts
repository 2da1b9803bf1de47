/** The programs that run agents and call hooks. */
export const HOOK_HOSTS = ['claude-code', 'codex', 'copilot', 'gemini', 'cursor'] as const
export type HookHost = (typeof HOOK_HOSTS)[number]

/** What a hook is called for: a session begins, a person asks, a tool was used, the agent stops. */
export const HOOK_KINDS = ['start', 'prompt', 'tool', 'stop'] as const
export type HookKind = (typeof HOOK_KINDS)[number]

interface Host {
  /** The host's own name for each kind of event. */
  readonly events: Readonly<Record<HookKind, string>>
  /** The form in which it takes a text into the conversation. */
  readonly context: (text: string, kind: HookKind) => string
  /** The form in which it lets the agent go on with a reminder; absent if it has none. */
  readonly goOn?: (reason: string) => string
}

const CLAUDE_EVENTS = { start: 'SessionStart', prompt: 'UserPromptSubmit', tool: 'PostToolUse', stop: 'Stop' }
const GEMINI_EVENTS = {
  start: 'SessionStart',
  prompt: 'BeforeAgent',
  tool: 'AfterTool',
  stop: 'AfterAgent',
}

/** Each host as its documentation has it. */
const HOSTS: Readonly<Record<HookHost, Host>> = {
  'claude-code': { events: CLAUDE_EVENTS, context: plain, goOn: block },
  codex: { events: CLAUDE_EVENTS, context: plain, goOn: block },
  copilot: {
    events: {
      start: 'sessionStart',
      prompt: 'userPromptSubmitted',
      tool: 'postToolUse',
      stop: 'agentStop',
    },
    context: (additionalContext) => JSON.stringify({ additionalContext }),
    goOn: block,
  },
  gemini: {
    events: GEMINI_EVENTS,
    context: (additionalContext, kind) =>
      JSON.stringify({ hookSpecificOutput: { hookEventName: GEMINI_EVENTS[kind], additionalContext } }),
  },
  cursor: {
    events: {
      start: 'sessionStart',
      prompt: 'beforeSubmitPrompt',
      tool: 'afterFileEdit',
      stop: 'stop',
    },
    context: (additional_context) => JSON.stringify({ continue: true, additional_context }),
    goOn: (followup_message) => JSON.stringify({ followup_message }),
  },
}

export function isHookHost(name: string): name is HookHost {
  return HOOK_HOSTS.some((host) => host === name)
}

export function eventName(host: HookHost, kind: HookKind): string {
  return HOSTS[host].events[kind]
}

/** The kind of event that a name stands for, ours or the host's. */
export function kindNamed(host: HookHost, name: string): HookKind | undefined {
  return HOOK_KINDS.find((kind) => kind === name || HOSTS[host].events[kind] === name)
}

/** A text for the conversation, as the host takes it. */
export function asContext(host: HookHost, kind: HookKind, text: string): string {
  return HOSTS[host].context(text, kind)
}

/** A reason to go on, as the host takes it; undefined if it takes none. */
export function asReasonToGoOn(host: HookHost, reason: string): string | undefined {
  return HOSTS[host].goOn?.(reason)
}

function plain(text: string): string {
  return text
}

function block(reason: string): string {
  return JSON.stringify({ decision: 'block', reason })
}
