import { DATABASE_SETTINGS } from '../config/database.js'
import { MEANING_SETTINGS } from '../config/meaning.js'
import { MEMORY_SETTINGS } from '../config/memory.js'
import { SERVING_SETTINGS } from '../config/serving.js'
import { COMMANDS, type Command } from './commands.js'
import { EXITS, type ExitName } from './output/exits.js'
import { OPTIONS, type Option, type OptionName } from './parse/options.js'

export function helpFor(commands: readonly Command[]): string {
  return commands.length === 0 ? overview() : commands.map(helpOf).join('\n')
}

function overview(): string {
  return `Loregraph keeps what AI agents learn and answers with cited insights.

Usage: loregraph [command] [options]

Commands
${table(COMMANDS.map((command) => [usageOf(command), command.summary]))}

To begin
  loregraph serve --demo                        serve, with something to look at
  loregraph insight demo "Which test runner do we use?"
  loregraph help export                         all about one command; also: loregraph export --help

Commands work on the data folder (--data, LOREGRAPH_DATA), which must not be in use, or on the database of
DATABASE_URL; with --url or LOREGRAPH_URL they ask the service that runs there, with the secret in LOREGRAPH_SECRET or in --secret-file.

Environment
${table(ENVIRONMENT)}

Exit codes
${exits(() => true)}
`
}

const ENVIRONMENT: readonly (readonly [string, string])[] = [
  ['LOREGRAPH_HOST', 'serve: the address to listen on; 127.0.0.1 if absent'],
  ['LOREGRAPH_PORT', 'serve: the port; 7400 if absent'],
  ['LOREGRAPH_DATA', 'the data folder; ./data if absent'],
  [
    'LOREGRAPH_SECRET',
    'serve: the admin secret, 32 characters or more; made and printed at the first start if absent',
  ],
  ['', 'other commands, with --url: the secret to ask with'],
  ['LOREGRAPH_URL', 'other commands: the service to ask, e.g. http://127.0.0.1:7400'],
  ['LOREGRAPH_GRAPH', 'hook: the graph to ask, where --graph does not say'],
  ['LOREGRAPH_LOG_LEVEL', 'serve: debug, info, warn, error or silent; info if absent'],
  ...MEANING_SETTINGS,
  ...MEMORY_SETTINGS,
  ...DATABASE_SETTINGS,
  ...SERVING_SETTINGS.map(([name, text]) => [name, `serve: ${text}`] as const),
  ['NO_COLOR', 'if set, no colours'],
]

function helpOf(command: Command): string {
  return `Usage: loregraph ${usageOf(command)} [options]

${sentence(command.summary)}
${command.about.join('\n')}

Options
${table(
  [...command.options, 'help' as const].map((name) => [
    flagOf(name),
    command.texts?.[name] ?? textOf(OPTIONS[name]),
  ]),
)}

Examples
${command.examples.map(([line, what]) => `  ${line}${what === '' ? '' : `\n      ${what}`}`).join('\n')}

Exit codes
${exits((name) => command.exits.includes(name) || (command.access !== undefined && OF_ANY_TARGET.has(name)))}
`
}

function usageOf({ name, operands = [] }: Command): string {
  return [name, ...operands.map((it) => (it.startsWith('[') ? it : `<${it}>`))].join(' ')
}

function flagOf(name: OptionName): string {
  const { value }: Option = OPTIONS[name]
  return value === undefined ? `--${name}` : `--${name} <${value}>`
}

function textOf({ text, env, fallback }: Option): string {
  const notes = [env, fallback === undefined ? undefined : `${fallback} if absent`].filter(
    (note) => note !== undefined,
  )
  return notes.length === 0 ? text : `${text} (${notes.join('; ')})`
}

const OF_ANY_TARGET = new Set<ExitName>(['fine', 'unavailable', 'inUse', 'noPermission', 'config'])

function exits(isOf: (name: ExitName) => boolean): string {
  const names = Object.keys(EXITS)
    .filter((name): name is ExitName => name in EXITS)
    .filter(isOf)
  return table(names.map((name) => [String(EXITS[name].code), EXITS[name].means]))
}

function table(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n')
}

function sentence(summary: string): string {
  return `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`
}
