/** The programs that run agents and call hooks. */
export const HOOK_HOSTS = ['claude-code', 'codex', 'copilot', 'gemini', 'cursor'] as const
export type HookHost = (typeof HOOK_HOSTS)[number]

/**
 * What a hook is called for: a session begins, a person asks, a tool was used, the agent or one that it started stops, the
 * conversation is about to be made shorter, the session is over.
 */
export const HOOK_KINDS = ['start', 'prompt', 'tool', 'stop', 'subagent-stop', 'compact', 'end'] as const
export type HookKind = (typeof HOOK_KINDS)[number]

interface Host {
  /** The host's own names for each kind of event; none where it takes no answer that would do anything. */
  readonly events: Readonly<Record<HookKind, readonly string[]>>
  /** The form in which it takes a text into the conversation. */
  readonly context: (text: string, kind: HookKind) => object
  /** The form in which it lets the agent go on with a reminder. */
  readonly goOn: (reason: string) => object
  /** The form in which it shows a text to the person; undefined where it shows none. */
  readonly notice: (text: string, kind: HookKind) => object | undefined
}

const CODEX_EVENTS = {
  start: ['SessionStart'],
  prompt: ['UserPromptSubmit'],
  tool: ['PostToolUse'],
  stop: ['Stop'],
  'subagent-stop': ['SubagentStop'],
  compact: ['PreCompact'],
  end: [],
}
const CLAUDE_EVENTS = { ...CODEX_EVENTS, end: ['SessionEnd'] }
const GEMINI_EVENTS = {
  start: ['SessionStart'],
  prompt: ['BeforeAgent'],
  tool: ['AfterTool'],
  stop: ['AfterAgent'],
  'subagent-stop': [],
  compact: ['PreCompress'],
  end: ['SessionEnd'],
}

/** Each host as its documentation has it. */
const HOSTS: Readonly<Record<HookHost, Host>> = {
  'claude-code': { events: CLAUDE_EVENTS, context: specific(CLAUDE_EVENTS), goOn: block, notice: shown },
  codex: { events: CODEX_EVENTS, context: specific(CODEX_EVENTS), goOn: block, notice: shown },
  copilot: {
    events: {
      start: ['sessionStart'],
      prompt: ['userPromptSubmitted'],
      tool: ['postToolUse'],
      stop: ['agentStop'],
      'subagent-stop': ['subagentStop'],
      compact: [],
      end: [],
    },
    context: (additionalContext) => ({ additionalContext }),
    goOn: block,
    notice: () => undefined,
  },
  gemini: {
    events: GEMINI_EVENTS,
    context: specific(GEMINI_EVENTS),
    goOn: (reason) => ({ decision: 'deny', reason }),
    notice: shown,
  },
  cursor: {
    events: {
      start: ['sessionStart'],
      prompt: ['beforeSubmitPrompt'],
      // The one names no tool, the other is about MCP alone.
      tool: ['afterFileEdit', 'afterMCPExecution'],
      stop: ['stop'],
      'subagent-stop': ['subagentStop'],
      compact: ['preCompact'],
      end: [],
    },
    context: (additional_context, kind) => ({
      ...(kind === 'prompt' && { continue: true }),
      additional_context,
    }),
    goOn: (followup_message) => ({ followup_message }),
    notice: (user_message, kind) => (kind === 'compact' ? { user_message } : undefined),
  },
}

export function isHookHost(name: string): name is HookHost {
  return HOOK_HOSTS.some((host) => host === name)
}

export function eventNames(host: HookHost, kind: HookKind): readonly string[] {
  return HOSTS[host].events[kind]
}

/** The kind of event that a name stands for, ours or the host's. */
export function kindNamed(host: HookHost, name: string): HookKind | undefined {
  return HOOK_KINDS.find((kind) => kind === name || HOSTS[host].events[kind].includes(name))
}

/** A text for the conversation, as the host takes it. */
export function asContext(host: HookHost, kind: HookKind, text: string): string {
  return JSON.stringify(HOSTS[host].context(text, kind))
}

/** A reason to go on, as the host takes it. */
export function asReasonToGoOn(host: HookHost, reason: string): string {
  return JSON.stringify(HOSTS[host].goOn(reason))
}

/** A text for the person, as the host takes it; undefined if it shows none. */
export function asNotice(host: HookHost, kind: HookKind, text: string): string | undefined {
  const notice = HOSTS[host].notice(text, kind)
  return notice && JSON.stringify(notice)
}

function specific(events: Host['events']): Host['context'] {
  return (additionalContext, kind) => ({
    hookSpecificOutput: { hookEventName: events[kind][0], additionalContext },
  })
}

function block(reason: string): object {
  return { decision: 'block', reason }
}

function shown(systemMessage: string): object {
  return { systemMessage }
}
