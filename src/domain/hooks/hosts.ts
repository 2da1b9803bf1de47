/** The programs that run agents and call hooks. */
export const HOOK_HOSTS = ['claude-code', 'codex', 'copilot', 'gemini', 'cursor'] as const
export type HookHost = (typeof HOOK_HOSTS)[number]

/**
 * When a hook is called: a session starts, a person sends a prompt, a tool was used, the agent or a subagent stops, the
 * conversation is about to be compacted, the session ends.
 */
export const HOOK_KINDS = ['start', 'prompt', 'tool', 'stop', 'subagent-stop', 'compact', 'end'] as const
export type HookKind = (typeof HOOK_KINDS)[number]

interface Host {
  /** The host's own names for each kind of event; empty if the host ignores the answer to it. */
  readonly events: Readonly<Record<HookKind, readonly string[]>>
  /** Wraps a text that the host adds to the conversation. */
  readonly context: (text: string, kind: HookKind) => object
  /** Wraps a reason for which the host lets the agent continue. */
  readonly continueWith: (reason: string) => object
  /** Wraps a text that the host shows to the person; undefined if it shows none. */
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
  // It has `PreCompress`, but calls it before every request to the model, long before anything is compressed.
  compact: [],
  end: ['SessionEnd'],
}

/** Follows the documentation of each host. */
const HOSTS: Readonly<Record<HookHost, Host>> = {
  'claude-code': {
    events: CLAUDE_EVENTS,
    context: hookSpecificContext(CLAUDE_EVENTS),
    continueWith: blockDecision,
    notice: systemMessageNotice,
  },
  codex: {
    events: CODEX_EVENTS,
    context: hookSpecificContext(CODEX_EVENTS),
    continueWith: blockDecision,
    notice: systemMessageNotice,
  },
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
    continueWith: blockDecision,
    notice: () => undefined,
  },
  gemini: {
    events: GEMINI_EVENTS,
    context: hookSpecificContext(GEMINI_EVENTS),
    continueWith: (reason) => ({ decision: 'deny', reason }),
    notice: systemMessageNotice,
  },
  cursor: {
    events: {
      start: ['sessionStart'],
      prompt: ['beforeSubmitPrompt'],
      // `afterFileEdit` names no tool; `afterMCPExecution` covers only tools of MCP servers.
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
    continueWith: (followup_message) => ({ followup_message }),
    notice: (user_message, kind) => (kind === 'compact' ? { user_message } : undefined),
  },
}

export function isHookHost(name: string): name is HookHost {
  return HOOK_HOSTS.some((host) => host === name)
}

export function eventNames(host: HookHost, kind: HookKind): readonly string[] {
  return HOSTS[host].events[kind]
}

/** The kind of event for a name, which may be ours or the host's. */
export function kindOf(host: HookHost, name: string): HookKind | undefined {
  return HOOK_KINDS.find((kind) => kind === name || HOSTS[host].events[kind].includes(name))
}

/** The host's answer that adds a text to the conversation. */
export function asContext(host: HookHost, kind: HookKind, text: string): string {
  return JSON.stringify(HOSTS[host].context(text, kind))
}

/** The host's answer that lets the agent continue. */
export function asContinuation(host: HookHost, reason: string): string {
  return JSON.stringify(HOSTS[host].continueWith(reason))
}

/** The host's answer that shows a text to the person; undefined if it shows none. */
export function asNotice(host: HookHost, kind: HookKind, text: string): string | undefined {
  const notice = HOSTS[host].notice(text, kind)
  return notice && JSON.stringify(notice)
}

function hookSpecificContext(events: Host['events']): Host['context'] {
  return (additionalContext, kind) => ({
    hookSpecificOutput: { hookEventName: events[kind][0], additionalContext },
  })
}

function blockDecision(reason: string): object {
  return { decision: 'block', reason }
}

function systemMessageNotice(systemMessage: string): object {
  return { systemMessage }
}
