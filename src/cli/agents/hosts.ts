import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { HookHost } from '../../domain/hooks/hosts.js'
import { Stop } from '../output/exits.js'
import { jsonMistake, type Path, valueAt, withEntry, withoutEntry } from './json-text.js'
import { blockFile, skillFiles } from './texts.js'
import { tomlMistake, withoutTable, withTable } from './toml-text.js'
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
  readonly home: string
}

export type WrittenHost = 'claude-code' | 'codex' | 'copilot' | 'gemini' | 'opencode' | 'cursor' | 'vscode'

/** What a host is given beside the server. */
export interface Parts {
  readonly hooks: boolean
  /** A few lines in the file of instructions that it reads. */
  readonly agentsMd: boolean
  readonly skills: boolean
}

/** A host whose configuration connect writes. */
interface Host {
  /** The file that lists its MCP servers. */
  servers(places: Places): HostFile
  /** The file of instructions that it reads, and that of all projects; undefined if it has none. */
  readonly instructions: readonly [ofProject: string, ofUser: string | undefined]
  /** The folder with skills, in a project and at home. */
  readonly skills: string
  /** The file with its hooks, which may be the same. */
  hooks(places: Places): HostFile
  /** What it wants of a person before it runs what was written. */
  next(isForUser: boolean, hooks: boolean): readonly string[]
}

const GEMINI_SETTINGS = '.gemini/settings.json'
/** The folder that most hosts share. */
const SKILLS = '.agents/skills'

const HOSTS: Readonly<Record<WrittenHost, Host>> = {
  'claude-code': {
    servers: ({ project, home }) =>
      // The home folder stands for all projects of a person, and there this file has another name.
      serverFile(join(project, project === home ? '.claude.json' : '.mcp.json'), 'mcpServers', {
        http: (url) => ({ type: 'http', url, headers: bearer(`\${${SECRET_VARIABLE}}`) }),
      }),
    instructions: ['CLAUDE.md', '.claude/CLAUDE.md'],
    skills: '.claude/skills',
    hooks: ({ project }) => hookFile(join(project, '.claude/settings.json'), 'claude-code'),
    next: (isForUser) => [
      isForUser
        ? 'Start Claude Code anew.'
        : 'Start Claude Code anew in this project. It asks whether the server of .mcp.json may be used: approve it.',
    ],
  },
  codex: {
    servers: ({ project }) => tomlFile(join(project, '.codex/config.toml')),
    instructions: ['AGENTS.md', '.codex/AGENTS.md'],
    skills: SKILLS,
    hooks: ({ project }) => hookFile(join(project, '.codex/hooks.json'), 'codex'),
    next: (isForUser, hooks) => [
      isForUser
        ? 'Start Codex anew.'
        : 'Start Codex anew in this project and trust the project when it asks; until then it reads no .codex/config.toml.',
      ...(hooks
        ? ['Then type /hooks in Codex and trust each hook; it asks again when their lines change.']
        : []),
    ],
  },
  copilot: {
    servers: ({ home }) =>
      serverFile(join(home, '.copilot/mcp-config.json'), 'mcpServers', {
        command: (server) => ({ type: 'local', ...server, tools: ['*'] }),
      }),
    instructions: ['.copilot/copilot-instructions.md', '.copilot/copilot-instructions.md'],
    skills: SKILLS,
    hooks: ({ home }) => hookFile(join(home, '.copilot/hooks/loregraph.json'), 'copilot', 1),
    next: () => ['Start Copilot anew.'],
  },
  gemini: {
    servers: ({ project }) =>
      serverFile(join(project, GEMINI_SETTINGS), 'mcpServers', {
        http: (httpUrl) => ({ httpUrl, headers: bearer(`\${${SECRET_VARIABLE}}`) }),
      }),
    instructions: ['GEMINI.md', '.gemini/GEMINI.md'],
    skills: SKILLS,
    hooks: ({ project }) => hookFile(join(project, GEMINI_SETTINGS), 'gemini'),
    next: (isForUser) => [
      isForUser
        ? 'Start Gemini CLI anew.'
        : `Start Gemini CLI anew in this project and trust the folder when it asks; until then it reads no ${GEMINI_SETTINGS}.`,
    ],
  },
  opencode: {
    servers: ({ project, home }) =>
      serverFile(
        join(project === home ? join(home, '.config/opencode') : project, 'opencode.json'),
        'mcp',
        {
          command: ({ command, args }) => ({ type: 'local', command: [command, ...args], enabled: true }),
          http: (url, secretFile) => ({
            ...{ type: 'remote', url, headers: bearer(`{file:${secretFile}}`) },
            ...{ oauth: false, enabled: true },
          }),
        },
        // opencode adds it to a file without one, which then is no longer as it was written.
        'https://opencode.ai/config.json',
      ),
    instructions: ['AGENTS.md', '.config/opencode/AGENTS.md'],
    skills: SKILLS,
    hooks() {
      throw new Stop('usage', 'opencode has plugins, and no hooks. Leave out --hooks.')
    },
    next: () => ['Start opencode anew.'],
  },
  cursor: {
    servers: ({ project }) =>
      serverFile(join(project, '.cursor/mcp.json'), 'mcpServers', {
        http: (url) => ({ url, headers: bearer(`\${env:${SECRET_VARIABLE}}`) }),
      }),
    instructions: ['AGENTS.md', undefined],
    skills: SKILLS,
    hooks: ({ project }) => hookFile(join(project, '.cursor/hooks.json'), 'cursor', 1),
    next: () => ['Start Cursor anew, and switch loregraph on under Settings, MCP, if it is off.'],
  },
  vscode: {
    servers({ project, home }) {
      if (project !== home)
        return serverFile(join(project, '.vscode/mcp.json'), 'servers', {
          command: (server) => ({ type: 'stdio', ...server }),
        })
      throw new Stop(
        'usage',
        'VS Code keeps what is for all projects where connect does not write. Leave out --user.',
      )
    },
    instructions: ['AGENTS.md', undefined],
    skills: SKILLS,
    hooks() {
      throw new Stop('usage', 'VS Code has no hooks that connect knows. Leave out --hooks.')
    },
    next: () => [
      'Open .vscode/mcp.json in VS Code and press Start above the server; it asks whether to trust it.',
    ],
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
export function hostFiles(host: ConnectHost, places: Places, parts: Parts): readonly HostFile[] {
  if (isPrintedHost(host)) {
    if (parts.hooks) throw new Stop('usage', `connect knows no hooks of ${host}. Leave out --hooks.`)
    if (parts.agentsMd || parts.skills)
      throw new Stop('usage', `connect writes no files of ${host}. Leave out --agents-md and --skills.`)
    return []
  }
  const { project, home } = places
  const { servers, hooks, instructions, skills } = HOSTS[host]
  const list = servers(places)
  const own = parts.hooks ? hooks(places) : undefined
  return [
    own?.file === list.file ? bothIn(list, own) : list,
    ...(own === undefined || own.file === list.file ? [] : [own]),
    ...(parts.agentsMd ? [instructionsFile(host, project, instructions[project === home ? 1 : 0])] : []),
    ...(parts.skills ? skillFiles(join(project, skills)) : []),
  ]
}

function instructionsFile(host: ConnectHost, project: string, file: string | undefined): HostFile {
  if (file !== undefined) return blockFile(join(project, file))
  throw new Stop('usage', `${host} has no file of instructions for all projects. Leave out --agents-md.`)
}

/** What a host still wants from a person before it runs what was written. */
export function stillWanted(
  host: ConnectHost,
  hooks: boolean,
  isForUser: boolean,
  { isHttp, secretFile }: Wiring,
): readonly string[] {
  if (!isPrintedHost(host))
    return [
      ...(isHttp && host !== 'opencode'
        ? [`It reads the secret from its environment: export ${SECRET_VARIABLE}="$(cat ${secretFile})"`]
        : []),
      ...HOSTS[host].next(isForUser, hooks),
    ]
  return [`Add what is on stdout to ${PRINTED[host]}, and start ${host} anew.`]
}

/** The file that a block belongs into, as a person finds it. */
export function placeOf(host: PrintedHost): string {
  return PRINTED[host]
}

/** What is to be added to the file. */
export function blockFor(host: PrintedHost, wiring: Wiring): string {
  if (wiring.isHttp) throw notOverHttp(PRINTED[host])
  const { command, args } = serverCommand(wiring)
  if (host !== 'goose')
    return JSON.stringify(
      { [host === 'zed' ? 'context_servers' : 'mcpServers']: { loregraph: { command, args } } },
      null,
      2,
    )
  // The strings and lists of JSON are those of YAML, too.
  const fields = { enabled: true, type: 'stdio', name: 'loregraph', cmd: command, args, timeout: 60 }
  const lines = Object.entries(fields).map(([name, value]) => `    ${name}: ${JSON.stringify(value)}`)
  return ['extensions:', '  loregraph:', ...lines].join('\n')
}

/** What belongs into one file. */
function bothIn(a: HostFile, b: HostFile): HostFile {
  return {
    file: a.file,
    with: (text, wiring) => b.with(a.with(text, wiring), wiring),
    without: (text) => a.without(b.without(text)),
  }
}

const NAME = 'loregraph'

/** How a host writes down a server. */
interface Entries {
  readonly command?: (server: ReturnType<typeof serverCommand>) => object
  /** Undefined where it cannot read a secret from somewhere else. */
  readonly http?: (url: string, secretFile: string) => object
}

function bearer(secret: string) {
  return { Authorization: `Bearer ${secret}` }
}

function notOverHttp(place: string): Stop {
  return new Stop('usage', `A server over HTTP would need the secret itself in ${place}. Leave out --http.`)
}

function serverFile(
  file: string,
  list: string,
  { command = (server) => server, http }: Entries,
  schema?: string,
): HostFile {
  const entryFor = (wiring: Wiring) => {
    if (!wiring.isHttp) return command(serverCommand(wiring))
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

function hookFile(file: string, host: HookHost, version?: number): HostFile {
  const without = (text: string) => {
    let rest = text
    const events = valueAt(text, ['hooks'])
    for (const [event, items] of Object.entries(isObject(events) ? events : {}))
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
      for (const [event, item] of hooksOf(host, wiring)) {
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
    const [mark = '', plain = ''] = text.startsWith('\ufeff') ? ['\ufeff', text.slice(1)] : ['', text]
    const mistake = jsonMistake(plain)
    if (mistake !== undefined) throw new Stop('data', `${file} ${mistake}. Nothing was changed.`)
    try {
      return mark + edit(plain)
    } catch (error) {
      if (error instanceof TypeError) throw new Stop('data', `${file}: ${error.message}.`, { cause: error })
      throw error
    }
  }
  return {
    file,
    with: (text, wiring) => edited(text, (plain) => edits.with(plain, wiring)),
    without: (text) => edited(text, (plain) => edits.without(plain)),
  }
}

function tomlFile(file: string): HostFile {
  return {
    file,
    with(text, wiring) {
      const mistake = tomlMistake(text)
      if (mistake !== undefined) throw new Stop('data', `${file} ${mistake}. Nothing was changed.`)
      // The strings and lists of JSON are those of TOML, too.
      const { command, args } = serverCommand(wiring)
      const fields = wiring.isHttp
        ? { url: serverAddress(wiring), bearer_token_env_var: SECRET_VARIABLE }
        : { command, args }
      const lines = Object.entries(fields).map(([name, value]) => `${name} = ${JSON.stringify(value)}`)
      return withTable(text, [`[mcp_servers.${NAME}]`, ...lines])
    },
    without: withoutTable,
  }
}

/** Without an entry, and without the objects and lists around it that hold nothing else. */
function withoutMade(text: string, path: Path): string {
  const rest = withoutEntry(text, path)
  const around = path.slice(0, -1)
  const left = valueAt(rest, around)
  const isEmpty = isObject(left) && Object.keys(left).length === 0
  return around.length > 0 && isEmpty && path.length > 2 ? withoutMade(rest, around) : rest
}

/** Our entries name a secret of ours, which no other does. */
function isOwn(value: unknown): boolean {
  const text = JSON.stringify(value ?? null)
  return text.includes(`/${NAME}/connections/`) || text.includes(SECRET_VARIABLE)
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
