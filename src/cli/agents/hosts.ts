import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { isHookHost } from '../../domain/hooks/hosts.js'
import { Stop } from '../output/exits.js'
import { instructionsFile, skillFiles, tomlFile } from './block-files.js'
import { jsonMistake, type Path, valueAt, withEntry, withoutEntry } from './json-text.js'
import {
  type HostFile,
  hooksOf,
  SECRET_VARIABLE,
  serverAddress,
  serverCommand,
  type Wiring,
} from './wiring.js'

interface Places {
  readonly project: string
  /** The home folder as the project stands for all projects. */
  readonly home: string
}

export type WrittenHost = 'claude-code' | 'codex' | 'copilot' | 'gemini' | 'opencode' | 'cursor' | 'vscode'

export interface Parts {
  readonly hooks: boolean
  /** A few lines in the file of instructions that it reads. */
  readonly agentsMd: boolean
  readonly skills: boolean
}

type Server = ReturnType<typeof serverCommand>

/** Why connect does not do it. */
interface Refused {
  readonly why: string
}

/** A host whose configuration connect writes. All paths are below the project. */
interface Host {
  /** The file that lists its MCP servers. */
  readonly file: string
  /** Its name in the home folder, if it is another. */
  readonly fileOfUser?: string | Refused
  /** The key of the list of servers; absent in a file of TOML. */
  readonly list?: string
  readonly command?: (server: Server) => object
  /** Absent where it cannot read a secret from somewhere else. */
  readonly http?: (url: string, secretFile: string) => object
  /** What a new file begins with. */
  readonly schema?: string
  /** The file with its hooks, which may be the same. */
  readonly hooks: string | Refused
  /** What a file of hooks must say of itself. */
  readonly version?: number
  /** The file of instructions that it reads, and that of all projects. */
  readonly instructions: readonly [ofProject: string, ofUser?: string]
  /** The folder with skills, unless it is the one that most hosts share. */
  readonly skills?: string
  /** What it wants of a person before it runs what was written. */
  readonly next: string
  readonly nextOfUser?: string
  readonly nextOfHooks?: string
}

const SKILLS = '.agents/skills'

const HOSTS: Readonly<Record<WrittenHost, Host>> = {
  'claude-code': {
    file: '.mcp.json',
    fileOfUser: '.claude.json',
    list: 'mcpServers',
    http: (url) => ({ type: 'http', url, headers: bearer(`\${${SECRET_VARIABLE}}`) }),
    hooks: '.claude/settings.json',
    instructions: ['CLAUDE.md', '.claude/CLAUDE.md'],
    skills: '.claude/skills',
    next: 'Start Claude Code anew in this project. It asks whether the server of .mcp.json may be used: approve it.',
    nextOfUser: 'Start Claude Code anew.',
  },
  codex: {
    file: '.codex/config.toml',
    hooks: '.codex/hooks.json',
    instructions: ['AGENTS.md', '.codex/AGENTS.md'],
    next: 'Start Codex anew in this project and trust the project when it asks; until then it reads no .codex/config.toml.',
    nextOfUser: 'Start Codex anew.',
    nextOfHooks: 'Then type /hooks in Codex and trust each hook; it asks again when their lines change.',
  },
  copilot: {
    file: '.copilot/mcp-config.json',
    list: 'mcpServers',
    command: (server) => ({ type: 'local', ...server, tools: ['*'] }),
    hooks: '.copilot/hooks/loregraph.json',
    version: 1,
    instructions: ['.copilot/copilot-instructions.md', '.copilot/copilot-instructions.md'],
    next: 'Start Copilot anew.',
  },
  gemini: {
    file: '.gemini/settings.json',
    list: 'mcpServers',
    http: (httpUrl) => ({ httpUrl, headers: bearer(`\${${SECRET_VARIABLE}}`) }),
    hooks: '.gemini/settings.json',
    instructions: ['GEMINI.md', '.gemini/GEMINI.md'],
    next: 'Start Gemini CLI anew in this project and trust the folder when it asks; until then it reads no .gemini/settings.json.',
    nextOfUser: 'Start Gemini CLI anew.',
  },
  opencode: {
    file: 'opencode.json',
    fileOfUser: '.config/opencode/opencode.json',
    list: 'mcp',
    command: ({ command, args }) => ({ type: 'local', command: [command, ...args], enabled: true }),
    http: (url, secretFile) => ({
      ...{ type: 'remote', url, headers: bearer(`{file:${secretFile}}`) },
      ...{ oauth: false, enabled: true },
    }),
    // opencode adds it to a file without one, which then is no longer as it was written.
    schema: 'https://opencode.ai/config.json',
    hooks: { why: 'opencode has plugins, and no hooks. Leave out --hooks.' },
    instructions: ['AGENTS.md', '.config/opencode/AGENTS.md'],
    next: 'Start opencode anew.',
  },
  cursor: {
    file: '.cursor/mcp.json',
    list: 'mcpServers',
    http: (url) => ({ url, headers: bearer(`\${env:${SECRET_VARIABLE}}`) }),
    hooks: '.cursor/hooks.json',
    version: 1,
    instructions: ['AGENTS.md'],
    next: 'Start Cursor anew, and switch loregraph on under Settings, MCP, if it is off.',
  },
  vscode: {
    file: '.vscode/mcp.json',
    fileOfUser: {
      why: 'VS Code keeps what is for all projects where connect does not write. Leave out --user.',
    },
    list: 'servers',
    command: (server) => ({ type: 'stdio', ...server }),
    hooks: { why: 'VS Code has no hooks that connect knows. Leave out --hooks.' },
    instructions: ['AGENTS.md'],
    next: 'Open .vscode/mcp.json in VS Code and press Start above the server; it asks whether to trust it.',
  },
}

/** Hosts whose configuration connect does not write, each with the file as a person finds it: it prints a block for them. */
const PRINTED = {
  'claude-desktop':
    'claude_desktop_config.json, which Claude Desktop opens under Settings, Developer, Edit Config',
  zed: 'settings.json, which Zed opens with the command "zed: open settings"',
  windsurf: '~/.codeium/windsurf/mcp_config.json',
  cline: 'cline_mcp_settings.json, which Cline opens under MCP Servers, Configure',
  goose: '~/.config/goose/config.yaml',
} as const

type PrintedHost = keyof typeof PRINTED
export type ConnectHost = WrittenHost | PrintedHost

export const PRINTED_HOSTS = Object.keys(PRINTED).filter(isPrintedHost)
export const CONNECT_HOSTS = [...Object.keys(HOSTS), ...PRINTED_HOSTS].filter(isConnectHost)

export function isConnectHost(name: string): name is ConnectHost {
  return Object.hasOwn(HOSTS, name) || isPrintedHost(name)
}

export function isPrintedHost(name: string): name is PrintedHost {
  return Object.hasOwn(PRINTED, name)
}

/** The files of a host: the one that lists its MCP servers, and those with what it is given beside them. */
export function hostFiles(name: ConnectHost, { project, home }: Places, parts: Parts): readonly HostFile[] {
  if (isPrintedHost(name)) {
    if (parts.hooks) throw new Stop('usage', `connect knows no hooks of ${name}. Leave out --hooks.`)
    if (parts.agentsMd || parts.skills)
      throw new Stop('usage', `connect writes no files of ${name}. Leave out --agents-md and --skills.`)
    return []
  }
  const host = HOSTS[name]
  const isForUser = project === home
  const file = join(project, unlessRefused(isForUser ? (host.fileOfUser ?? host.file) : host.file))
  const servers = host.list === undefined ? tomlFile(file) : serverFile(file, host.list, host)
  const hooks = parts.hooks
    ? hookFile(join(project, unlessRefused(host.hooks)), name, host.version)
    : undefined
  const texts = host.instructions[isForUser ? 1 : 0]
  if (parts.agentsMd && texts === undefined)
    throw new Stop('usage', `${name} has no file of instructions for all projects. Leave out --agents-md.`)
  return [
    ...(hooks === undefined ? [servers] : hooks.file === file ? [bothIn(servers, hooks)] : [servers, hooks]),
    ...(parts.agentsMd && texts !== undefined ? [instructionsFile(join(project, texts))] : []),
    ...(parts.skills ? skillFiles(join(project, host.skills ?? SKILLS)) : []),
  ]
}

function unlessRefused(file: string | Refused): string {
  if (typeof file === 'string') return file
  throw new Stop('usage', file.why)
}

export function stillWanted(
  name: ConnectHost,
  hooks: boolean,
  isForUser: boolean,
  { isHttp, secretFile }: Wiring,
): readonly string[] {
  if (isPrintedHost(name)) return [`Add what is on stdout to ${PRINTED[name]}, and start ${name} anew.`]
  const { next, nextOfUser = next, nextOfHooks } = HOSTS[name]
  return [
    ...(isHttp && name !== 'opencode'
      ? [`It reads the secret from its environment: export ${SECRET_VARIABLE}="$(cat ${secretFile})"`]
      : []),
    isForUser ? nextOfUser : next,
    ...(hooks && nextOfHooks !== undefined ? [nextOfHooks] : []),
  ]
}

/** The file that a block belongs into, as a person finds it. */
export function placeOf(host: PrintedHost): string {
  return PRINTED[host]
}

export function blockFor(host: PrintedHost, wiring: Wiring): string {
  if (wiring.isHttp) throw notOverHttp(PRINTED[host])
  const { command, args } = serverCommand(wiring)
  if (host !== 'goose') {
    const list = host === 'zed' ? 'context_servers' : 'mcpServers'
    return JSON.stringify({ [list]: { loregraph: { command, args } } }, null, 2)
  }
  // The strings and lists of JSON are those of YAML, too.
  const fields = { enabled: true, type: 'stdio', name: 'loregraph', cmd: command, args, timeout: 60 }
  const lines = Object.entries(fields).map(([name, value]) => `    ${name}: ${JSON.stringify(value)}`)
  return ['extensions:', '  loregraph:', ...lines].join('\n')
}

function bothIn(a: HostFile, b: HostFile): HostFile {
  return {
    file: a.file,
    with: (text, wiring) => b.with(a.with(text, wiring), wiring),
    without: (text) => a.without(b.without(text)),
  }
}

const NAME = 'loregraph'

function bearer(secret: string) {
  return { Authorization: `Bearer ${secret}` }
}

function notOverHttp(place: string): Stop {
  return new Stop('usage', `A server over HTTP would need the secret itself in ${place}. Leave out --http.`)
}

function serverFile(file: string, list: string, { command, http, schema }: Host): HostFile {
  const entryFor = (wiring: Wiring) => {
    const server = serverCommand(wiring)
    if (!wiring.isHttp) return command?.(server) ?? server
    if (http === undefined) throw notOverHttp(file)
    return http(serverAddress(wiring), wiring.secretFile)
  }
  const path = [list, NAME]
  const without = (text: string) => (isOwn(valueAt(text, path)) ? withoutMade(text, path) : text)
  return jsonFile(file, {
    without,
    with(text, wiring) {
      const entry = entryFor(wiring)
      const there = valueAt(text, path)
      if (isDeepStrictEqual(there, entry)) return text
      if (there !== undefined && !isOwn(there))
        throw new Stop(
          'exists',
          `${file} has a server named ${NAME} that connect did not write. Remove it or give it another name first.`,
        )
      const isNew = schema !== undefined && text.trim() === ''
      return withEntry(isNew ? withEntry(text, ['$schema'], schema) : without(text), path, entry)
    },
  })
}

function hookFile(file: string, host: WrittenHost, version: number | undefined): HostFile {
  const without = (text: string) => {
    let rest = text
    for (const [event, items] of Object.entries(Object(valueAt(text, ['hooks']))))
      for (let i = Array.isArray(items) ? items.length - 1 : -1; i >= 0; i--)
        if (isOwn(valueAt(rest, ['hooks', event, i]))) rest = withoutMade(rest, ['hooks', event, i])
    return rest
  }
  return jsonFile(file, {
    without,
    with(text, wiring) {
      let made = without(text)
      if (version !== undefined && valueAt(made, ['version']) === undefined)
        made = withEntry(made, ['version'], version)
      for (const [event, item] of isHookHost(host) ? hooksOf(host, wiring) : []) {
        const path = ['hooks', event]
        const list = valueAt(made, path)
        if (list !== undefined && !Array.isArray(list))
          throw new Stop('data', `${file}: hooks.${event} is not a list.`)
        made = withEntry(made, path, list === undefined ? [item] : item)
      }
      return made
    },
  })
}

/** Checks before it edits; a mark of byte order stays where it is. */
function jsonFile(file: string, edits: Omit<HostFile, 'file'>): HostFile {
  const edited = (text: string, edit: (plain: string) => string) => {
    const plain = text.replace(/^\ufeff/, '')
    const mistake = jsonMistake(plain)
    if (mistake !== undefined) throw new Stop('data', `${file} ${mistake}. Nothing was changed.`)
    try {
      return text.slice(0, text.length - plain.length) + edit(plain)
    } catch (error) {
      if (error instanceof TypeError) throw new Stop('data', `${file}: ${error.message}.`, { cause: error })
      throw error
    }
  }
  return {
    file,
    with: (text, wiring) => edited(text, (plain) => edits.with(plain, wiring)),
    without: (text) => edited(text, edits.without),
  }
}

/** Without an entry, and without the objects and lists around it that hold nothing else. */
function withoutMade(text: string, path: Path): string {
  const rest = withoutEntry(text, path)
  const around = path.slice(0, -1)
  const left = valueAt(rest, around)
  const isEmpty = typeof left === 'object' && left !== null && Object.keys(left).length === 0
  return isEmpty && path.length > 2 ? withoutMade(rest, around) : rest
}

/** Our entries name a secret of ours, which no other does. */
function isOwn(value: unknown): boolean {
  const text = JSON.stringify(value ?? null)
  return text.includes(`/${NAME}/connections/`) || text.includes(SECRET_VARIABLE)
}
