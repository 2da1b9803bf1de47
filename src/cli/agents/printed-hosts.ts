import { serverCommand, type Wiring } from './wiring.js'

/** Hosts whose configuration connect does not write: it prints a block for it. */
export const PRINTED_HOSTS = ['claude-desktop', 'zed', 'windsurf', 'cline', 'goose'] as const
export type PrintedHost = (typeof PRINTED_HOSTS)[number]

export function isPrintedHost(name: string): name is PrintedHost {
  return PRINTED_HOSTS.some((host) => host === name)
}

const PLACES: Readonly<Record<PrintedHost, string>> = {
  'claude-desktop':
    'claude_desktop_config.json, which Claude Desktop opens under Settings, Developer, Edit Config',
  zed: 'settings.json, which Zed opens with the command "zed: open settings"',
  windsurf: '~/.codeium/windsurf/mcp_config.json',
  cline: 'cline_mcp_settings.json, which Cline opens under MCP Servers, Configure',
  goose: '~/.config/goose/config.yaml',
}

/** The file that a block belongs into, as a person finds it. */
export function placeOf(host: PrintedHost): string {
  return PLACES[host]
}

/** What is to be added to the file. */
export function blockFor(host: PrintedHost, wiring: Wiring): string {
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
