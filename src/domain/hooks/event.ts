import { type HookHost, type HookKind, kindOf } from './hosts.js'

/** The fields that are read of a host's event. */
export interface HookEvent {
  readonly host: HookHost
  readonly kind: HookKind
  /** Undefined if the host sends no session id. */
  readonly session: string | undefined
  /** The subagent within the session; undefined for the main agent. */
  readonly agent: string | undefined
  readonly prompt: string
  /** The tool that was used changed a file. */
  readonly changedFiles: boolean
  /** The tool that was used recorded something here. */
  readonly recorded: boolean
  /** The agent continues already because a hook asked it to. */
  readonly isContinuing: boolean
  /** Why the conversation no longer holds what hooks added before; undefined if it still does. */
  readonly clearedBy: 'compact' | 'clear' | undefined
}

const FILE_TOOLS =
  /^(?:edit|write|multiedit|notebookedit|apply_patch|create|str_replace|replace|write_file)$/i
/** Our tool without a server name, and as Gemini and Cursor name it. */
const RECORD_TOOLS = ['record', 'mcp:record']

/** Other hosts put the name of the server before it: `mcp__loregraph__record`. */
function isRecordTool(tool: string): boolean {
  const name = tool.toLowerCase()
  return RECORD_TOOLS.includes(name) || (name.includes('loregraph') && name.endsWith('record'))
}

/**
 * Reads an event from a host; undefined if hooks do not handle it. `name` is the event that the hook was installed for; if
 * it is missing, the event must name itself. Hosts spell field names differently and add other fields.
 */
export function readHookEvent(host: HookHost, sent: unknown, name?: string): HookEvent | undefined {
  const fields = new Map<string, unknown>(Object.entries(sent ?? {}))
  const text = (...names: readonly string[]) =>
    names.map((field) => fields.get(field)).find((value) => typeof value === 'string')
  const eventName = name ?? text('hook_event_name', 'hookEventName')
  const kind = eventName === undefined ? kindByFields(fields) : kindOf(host, eventName)
  if (kind === undefined) return undefined
  const tool = text('tool_name', 'toolName')
  const rounds = fields.get('loop_count')
  const source = kind === 'start' ? text('source') : undefined
  return {
    host,
    kind,
    session: text('session_id', 'sessionId', 'conversation_id') || undefined,
    agent: text('agent_id', 'agentId', 'subagent_id') || undefined,
    prompt: text('prompt') ?? '',
    // Cursor's `afterFileEdit` reports only edits, and names no tool.
    changedFiles: kind === 'tool' && (tool === undefined ? host === 'cursor' : FILE_TOOLS.test(tool)),
    recorded: kind === 'tool' && tool !== undefined && isRecordTool(tool),
    isContinuing: fields.get('stop_hook_active') === true || (typeof rounds === 'number' && rounds > 0),
    clearedBy: source === 'compact' || source === 'clear' ? source : undefined,
  }
}

/** Copilot does not name its events. */
function kindByFields(fields: ReadonlyMap<string, unknown>): HookKind | undefined {
  if (fields.has('toolName') || fields.has('tool_name')) return 'tool'
  if (fields.has('prompt')) return 'prompt'
  if (fields.has('source')) return 'start'
  return undefined
}
