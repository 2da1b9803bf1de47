import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { HookHost } from '../../domain/hooks/hosts.js'
import { Stop } from '../output/exits.js'
import { jsonMistake, type Path, valueAt, withEntry, withoutEntry } from './json-text.js'
import { isPrintedHost, PRINTED_HOSTS, placeOf } from './printed-hosts.js'
import { tomlMistake, withBlock, withoutBlock } from './toml-text.js'
import { hooksOf, serverCommand, type Wiring } from './wiring.js'

export const CONNECT_HOSTS = [
  'claude-code',
  'codex',
  'cursor',
  'vscode',
  'copilot',
  ...PRINTED_HOSTS,
] as const
export type ConnectHost = (typeof CONNECT_HOSTS)[number]

/** A file of a host, and the lines of ours in it. */
export interface HostFile {
  readonly file: string
  /** With our lines. Throws a `Stop` if they cannot be added. */
  with(text: string, wiring: Wiring): string
  /** Without them. */
  without(text: string): string
}

interface Places {
  readonly project: string
  readonly home: string
}

export function isConnectHost(name: string): name is ConnectHost {
  return CONNECT_HOSTS.some((host) => host === name)
}

/** The files of a host: the one that lists its MCP servers and, if it is to call them, the one with its hooks. */
export function hostFiles(host: ConnectHost, { project, home }: Places, hooks: boolean): readonly HostFile[] {
  if (isPrintedHost(host)) {
    if (hooks) throw new Stop('usage', `connect knows no hooks of ${host}. Leave out --hooks.`)
    return []
  }
  switch (host) {
    case 'claude-code':
      return [
        // The home folder stands for all projects of a person, and there this file has another name.
        serverFile(join(project, project === home ? '.claude.json' : '.mcp.json'), 'mcpServers'),
        ...(hooks ? [hookFile(join(project, '.claude/settings.json'), host)] : []),
      ]
    case 'codex':
      return [
        tomlFile(join(project, '.codex/config.toml')),
        ...(hooks ? [hookFile(join(project, '.codex/hooks.json'), host)] : []),
      ]
    case 'cursor':
      return [
        serverFile(join(project, '.cursor/mcp.json'), 'mcpServers'),
        ...(hooks ? [hookFile(join(project, '.cursor/hooks.json'), host, 1)] : []),
      ]
    case 'vscode':
      if (project === home)
        throw new Stop(
          'usage',
          'VS Code keeps what is for all projects where connect does not write. Leave out --user.',
        )
      if (hooks) throw new Stop('usage', 'VS Code has no hooks that connect knows. Leave out --hooks.')
      return [serverFile(join(project, '.vscode/mcp.json'), 'servers', { type: 'stdio' })]
    case 'copilot':
      return [
        serverFile(join(home, '.copilot/mcp-config.json'), 'mcpServers', { type: 'local' }, { tools: ['*'] }),
        ...(hooks ? [hookFile(join(home, '.copilot/hooks/loregraph.json'), host, 1)] : []),
      ]
  }
}

/** What a host still wants from a person before it runs what was written. */
export function stillWanted(host: ConnectHost, hooks: boolean, isForUser: boolean): readonly string[] {
  if (isPrintedHost(host)) return [`Add what is on stdout to ${placeOf(host)}, and start ${host} anew.`]
  switch (host) {
    case 'claude-code':
      return [
        isForUser
          ? 'Start Claude Code anew.'
          : 'Start Claude Code anew in this project. It asks whether the server of .mcp.json may be used: approve it.',
      ]
    case 'codex':
      return [
        isForUser
          ? 'Start Codex anew.'
          : 'Start Codex anew in this project and trust the project when it asks; until then it reads no .codex/config.toml.',
        ...(hooks
          ? ['Then type /hooks in Codex and trust each hook; it asks again when their lines change.']
          : []),
      ]
    case 'cursor':
      return ['Start Cursor anew, and switch loregraph on under Settings, MCP, if it is off.']
    case 'vscode':
      return [
        'Open .vscode/mcp.json in VS Code and press Start above the server; it asks whether to trust it.',
      ]
    case 'copilot':
      return ['Start Copilot anew.']
  }
}

const NAME = 'loregraph'

function serverFile(file: string, list: string, before: object = {}, after: object = {}): HostFile {
  const path = [list, NAME]
  const without = (text: string) => (isOwn(valueAt(text, path)) ? withoutMade(text, path) : text)
  return jsonFile(file, {
    without,
    with(text, wiring) {
      const entry = { ...before, ...serverCommand(wiring), ...after }
      const there = valueAt(text, path)
      if (isDeepStrictEqual(there, entry)) return text
      if (there !== undefined && !isOwn(there))
        throw new Stop(
          'exists',
          `${file} has a server named ${NAME} that connect did not write. Remove it or give it another name first.`,
        )
      return withEntry(without(text), path, entry)
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
      const { command, args } = serverCommand(wiring)
      // The strings of JSON are strings of TOML, too.
      const list = args.map((one) => JSON.stringify(one)).join(', ')
      return withBlock(text, [
        `[mcp_servers.${NAME}]`,
        `command = ${JSON.stringify(command)}`,
        `args = [${list}]`,
      ])
    },
    without: withoutBlock,
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

/** Our entries name a secret file of ours, which no other does. */
function isOwn(value: unknown): boolean {
  return JSON.stringify(value ?? null).includes(`/${NAME}/connections/`)
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
