import { isIP } from 'node:net'
import { parseArgs } from 'node:util'
import { hashSecret } from './http/auth.js'
import { readServing, SERVING_SETTINGS, SERVING_USAGE, type ServingSettings } from './settings.js'

export const USAGE = `Usage: loregraph [command] [options]

  serve            serve the API, the contract and its documentation (the default)
  verify           read every byte of the data folder and say what is damaged; changes nothing
  repair           say what can be saved of a damaged data folder; with --truncate, save it

  --host <host>    the address to listen on          LOREGRAPH_HOST       127.0.0.1
  --port <port>    the port; 0 takes any free one    LOREGRAPH_PORT       7400
  --data <folder>  where knowledge is kept           LOREGRAPH_DATA       ./data
  --demo           (serve) add a small graph named demo
  --truncate       (repair) carry it out: keep each damaged graph up to the damage
  --help           show this

  LOREGRAPH_SECRET        the admin secret, 32 characters or more; made and printed at the first start if absent
  LOREGRAPH_LOG_LEVEL     debug, info, warn, error or silent; info if absent
${SERVING_USAGE}
`

export interface Config extends ServingSettings {
  readonly command: Command | 'help'
  readonly host: string
  readonly port: number
  readonly data: string
  /** The hash of `LOREGRAPH_SECRET`; the secret itself goes no further than this file. */
  readonly secretHash: Buffer | undefined
  readonly logLevel: LogLevel
  readonly demo: boolean
  readonly truncate: boolean
}

const COMMANDS = ['serve', 'verify', 'repair'] as const
type Command = (typeof COMMANDS)[number]

const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/** Everything that is wrong with the settings, at once. */
export class ConfigError extends Error {
  readonly mistakes: readonly string[]

  constructor(mistakes: readonly string[]) {
    super(`The settings cannot be used:\n${mistakes.map((mistake) => `  - ${mistake}`).join('\n')}`)
    this.name = 'ConfigError'
    this.mistakes = mistakes
  }
}

type Environment = Readonly<Record<string, string | undefined>>

const KNOWN = ['HOST', 'PORT', 'DATA', 'SECRET', 'LOG_LEVEL']
  .map((name) => `LOREGRAPH_${name}`)
  .concat(SERVING_SETTINGS)
const SHORTEST_SECRET = 32
const SENDABLE = /^[A-Za-z0-9._~+/-]+=*$/
const HOST_NAME = /^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$/

/** Flags before environment before defaults; a mistake in any of them is an error that names them all. */
export function readConfig(env: Environment, args: readonly string[]): Config {
  const mistakes: string[] = []
  const flags = readFlags(args, mistakes)
  for (const name of Object.keys(env))
    if (name.startsWith('LOREGRAPH_') && !KNOWN.includes(name))
      mistakes.push(`${name} is not a setting. Known are ${KNOWN.join(', ')}.`)
  if (env['DATABASE_URL'] !== undefined)
    mistakes.push(
      'DATABASE_URL: PostgreSQL is not supported in this version. Unset it to use the data folder.',
    )
  const setting = (flag: 'host' | 'port' | 'data', name: string, fallback: string) => {
    const value = flags[flag] ?? env[name] ?? fallback
    if (value.trim() === '') mistakes.push(`${name} (--${flag}) is empty. Leave it out to use ${fallback}.`)
    return value
  }
  const host = setting('host', 'LOREGRAPH_HOST', '127.0.0.1')
  const port = setting('port', 'LOREGRAPH_PORT', '7400')
  const data = setting('data', 'LOREGRAPH_DATA', './data')
  const logLevel = env['LOREGRAPH_LOG_LEVEL'] ?? 'info'
  const secret = env['LOREGRAPH_SECRET']
  if (host.trim() !== '' && isIP(host) === 0 && !HOST_NAME.test(host))
    mistakes.push(`LOREGRAPH_HOST (--host) must be a host name or an address, not ${quote(host)}.`)
  if (port.trim() !== '' && !(/^(0|[1-9]\d{0,4})$/.test(port) && Number(port) <= 65_535))
    mistakes.push(`LOREGRAPH_PORT (--port) must be a whole number from 0 to 65535, not ${quote(port)}.`)
  if (data.includes('\0')) mistakes.push('LOREGRAPH_DATA (--data) must not hold a NUL character.')
  if (!isLogLevel(logLevel))
    mistakes.push(`LOREGRAPH_LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}, not ${quote(logLevel)}.`)
  const serving = readServing(env, mistakes)
  if (flags.command === 'serve') mistakes.push(...secretMistakes(secret, host))
  // Help is wanted most by those who have got a setting wrong.
  if (mistakes.length > 0 && !flags.help) throw new ConfigError(mistakes)
  return Object.freeze({
    command: flags.help ? 'help' : flags.command,
    host,
    port: Number(port),
    data,
    secretHash: secret === undefined ? undefined : hashSecret(secret),
    logLevel: isLogLevel(logLevel) ? logLevel : 'info',
    ...serving,
    demo: flags.demo,
    truncate: flags.truncate,
  })
}

interface Flags {
  readonly command: Command
  readonly host?: string
  readonly port?: string
  readonly data?: string
  readonly demo: boolean
  readonly truncate: boolean
  readonly help: boolean
}

function readFlags(args: readonly string[], mistakes: string[]): Flags {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        host: { type: 'string' },
        port: { type: 'string' },
        data: { type: 'string' },
        demo: { type: 'boolean', default: false },
        truncate: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false, short: 'h' },
      },
    })
    const [word = 'serve', ...rest] = positionals
    const command = COMMANDS.find((known) => known === word) ?? 'serve'
    if (command !== word) mistakes.push(`There is no command ${quote(word)}. See loregraph --help.`)
    if (values.demo && command !== 'serve') mistakes.push('--demo goes with serve.')
    if (values.truncate && command !== 'repair') mistakes.push('--truncate goes with repair.')
    if (rest.length > 0)
      mistakes.push(`${rest.map(quote).join(' ')} means nothing here. See loregraph --help.`)
    return { command, ...values }
  } catch (error) {
    mistakes.push(`${flagMistake(error)} See loregraph --help.`)
    return { command: 'serve', demo: false, truncate: false, help: false }
  }
}

/** The words of `parseArgs` speak of its own workings. */
function flagMistake(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  const [, flag = ''] = /'(-[^', ]*)/.exec(text) ?? []
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') return `There is no option ${flag}.`
  if (code !== 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE') return `${text}.`
  return text.includes('does not take') ? `${flag} takes no value.` : `${flag} needs a value.`
}

/** None of these repeats the secret. */
function secretMistakes(secret: string | undefined, host: string): string[] {
  if (secret === undefined)
    return isLoopback(host)
      ? []
      : [
          `LOREGRAPH_SECRET must be set to listen on ${host}, where others can reach it. Or listen on 127.0.0.1.`,
        ]
  const mistakes: string[] = []
  if (secret.length < SHORTEST_SECRET)
    mistakes.push(
      `LOREGRAPH_SECRET must have at least ${SHORTEST_SECRET} characters; it has ${secret.length}.`,
    )
  if (secret !== '' && !SENDABLE.test(secret))
    mistakes.push(
      'LOREGRAPH_SECRET must be of A-Z a-z 0-9 . _ ~ + / - only, as an Authorization header can hold it.',
    )
  return mistakes
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
}

function isLogLevel(level: string): level is LogLevel {
  return LOG_LEVELS.some((known) => known === level)
}

function quote(text: string): string {
  return JSON.stringify(text)
}
