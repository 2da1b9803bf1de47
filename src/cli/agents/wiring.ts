import { eventNames, HOOK_KINDS, type HookHost, type HookKind } from '../../domain/hooks/hosts.js'

/** As the contract has it. */
export const GRAPH_ID = /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/
export const MAX_GRAPH_ID_LENGTH = 128

/** A host tells nobody what its tools are refused, and the graph becomes a part of file names and command lines. */
export function graphMistakes(graph: string): string[] {
  if (GRAPH_ID.test(graph) && graph.length <= MAX_GRAPH_ID_LENGTH) return []
  return [
    `--graph must be 1 to ${MAX_GRAPH_ID_LENGTH} of A-Z a-z 0-9 . _ - and not start with a dot, not ${JSON.stringify(graph)}.`,
  ]
}

/** What a host is to run for us. */
export interface Wiring {
  /** The program with its first arguments: `loregraph`, or Node.js and the file of a build. */
  readonly program: readonly string[]
  readonly url: string
  readonly graph: string
  /** As the program reads it, which knows `~`. */
  readonly secretFile: string
  /** The host asks the service itself, and starts no program. */
  readonly isHttp: boolean
}

/** A file of a host, and the lines of ours in it. */
export interface HostFile {
  readonly file: string
  /** With our lines. Throws a `Stop` if they cannot be added. */
  with(text: string, wiring: Wiring): string
  /** Without them. */
  without(text: string): string
}

/** Where a host that asks over HTTP finds the secret: not LOREGRAPH_SECRET, which is an admin's in the shell of `connect`. */
export const SECRET_VARIABLE = 'LOREGRAPH_AGENT_SECRET'

export function serverAddress({ url, graph }: Wiring): string {
  return `${url.replace(/\/+$/, '')}/mcp/${graph}`
}

export function serverCommand({ program, url, graph, secretFile }: Wiring) {
  const [command = '', ...first] = program
  return { command, args: [...first, 'mcp', '--graph', graph, '--url', url, '--secret-file', secretFile] }
}

export function hookCommand(
  { program, url, graph, secretFile }: Wiring,
  host: HookHost,
  kind: HookKind,
): string {
  const options = `--host ${host} --graph ${graph} --url ${quoted(url)} --secret-file ${quoted(secretFile)}`
  return `${program.map(shellWord).join(' ')} hook ${kind} ${options}`
}

const PLAIN = /^[\w./:@+-]+$/

export function shellWord(word: string): string {
  return PLAIN.test(word) ? word : quoted(word)
}

/** As one word, for every shell: in quotes, in which `~` stays for our program to read. */
function quoted(word: string): string {
  return `"${word.replace(/["$`\\]/g, '\\$&')}"`
}

/** Longer than a hook takes, so that it is not cut off where it would end by itself. */
const SECONDS = 10
/** The tools of hosts that change files, and ours that records. */
const MATCHER = 'Edit|Write|MultiEdit|NotebookEdit|apply_patch|mcp__.*loregraph.*__record'
const GEMINI_MATCHER = 'write_file|replace|mcp_.*loregraph.*_record'

/** The hooks of a host, by the name of the event: Claude Code, Codex and Gemini CLI group them, Cursor and Copilot list them. */
export function hooksOf(
  host: HookHost,
  wiring: Wiring,
): readonly (readonly [event: string, item: unknown])[] {
  return HOOK_KINDS.flatMap((kind) =>
    eventNames(host, kind).map(
      (event) => [event, itemFor(host, kind, hookCommand(wiring, host, kind))] as const,
    ),
  )
}

function itemFor(host: HookHost, kind: HookKind, command: string): unknown {
  switch (host) {
    case 'claude-code':
    case 'codex':
      return {
        ...(kind === 'tool' && { matcher: MATCHER }),
        hooks: [{ type: 'command', command, timeout: SECONDS }],
      }
    case 'gemini':
      return {
        ...(kind === 'tool' && { matcher: GEMINI_MATCHER }),
        hooks: [{ type: 'command', name: `loregraph ${kind}`, command, timeout: SECONDS * 1000 }],
      }
    case 'copilot':
      // PowerShell takes a quoted word for a text, unless it is called.
      return {
        type: 'command',
        bash: command,
        powershell: command.startsWith('"') ? `& ${command}` : command,
        timeoutSec: SECONDS,
      }
    default:
      return { command }
  }
}
