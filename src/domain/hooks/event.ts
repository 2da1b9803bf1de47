import { type HookHost, type HookKind, kindNamed } from './hosts.js'

/** An event of a host, of which only this is read. */
export interface HookEvent {
  readonly host: HookHost
  readonly kind: HookKind
  /** Undefined if the host does not say. */
  readonly session: string | undefined
  /** The agent within the session, where it is one that another has started. */
  readonly agent: string | undefined
  readonly prompt: string
  /** The tool that was used changed a file. */
  readonly changedFiles: boolean
  /** The tool that was used recorded something here. */
  readonly recorded: boolean
  /** The agent goes on already because a hook asked it to. */
  readonly isGoingOn: boolean
  /** Why what was told before is no longer in the conversation; undefined if it is. */
  readonly emptiedBy: 'compact' | 'clear' | undefined
}

const CHANGES_FILES =
  /^(?:edit|write|multiedit|notebookedit|apply_patch|create|str_replace|replace|write_file)$/i
/** Ours, by the name of the server where the host gives it. */
const RECORDS = ['record', 'mcp:record']

/** As hosts name a tool of ours: `mcp__loregraph__record`. */
function records(tool: string): boolean {
  const name = tool.toLowerCase()
  return RECORDS.includes(name) || (name.includes('loregraph') && name.endsWith('record'))
}

/**
 * Reads what a host sent; undefined if it is no event of ours. `name` is what the hook was called for; without one, the
 * event says so itself. Hosts differ in the case of names, and add fields as they like.
 */
export function readHookEvent(host: HookHost, sent: unknown, name?: string): HookEvent | undefined {
  const fields = new Map(isObject(sent) ? Object.entries(sent) : [])
  const text = (...names: readonly string[]) =>
    names.map((field) => fields.get(field)).find((value) => typeof value === 'string')
  const called = name ?? text('hook_event_name', 'hookEventName')
  const kind = called === undefined ? kindByFields(fields) : kindNamed(host, called)
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
    // The event of Cursor is about nothing but edits, and names no tool.
    changedFiles: kind === 'tool' && (tool === undefined ? host === 'cursor' : CHANGES_FILES.test(tool)),
    recorded: kind === 'tool' && tool !== undefined && records(tool),
    isGoingOn: fields.get('stop_hook_active') === true || (typeof rounds === 'number' && rounds > 0),
    emptiedBy: source === 'compact' || source === 'clear' ? source : undefined,
  }
}

/** Copilot does not name the event that it sends. */
function kindByFields(fields: ReadonlyMap<string, unknown>): HookKind | undefined {
  if (fields.has('toolName') || fields.has('tool_name')) return 'tool'
  if (fields.has('prompt')) return 'prompt'
  if (fields.has('source')) return 'start'
  return undefined
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
