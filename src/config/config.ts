import { isIP } from 'node:net'
import { hashSecret } from '../store/hash-secret.js'
import { DATABASE_SETTINGS, type DatabaseSettings, type Environment, readDatabase } from './database.js'
import { MEANING_SETTINGS, type MeaningMode, readMeaning } from './meaning.js'
import { MEMORY_SETTINGS, readMemory } from './memory.js'
import { isHost, readServing, SERVING_SETTINGS, type ServingSettings } from './serving.js'

export interface Config extends ServingSettings {
  readonly host: string
  readonly port: number
  readonly data: string
  /** The database to use instead of the data folder. */
  readonly database: DatabaseSettings | undefined
  /** The hash of `LOREGRAPH_SECRET`; the secret itself does not leave this file. */
  readonly secretHash: Buffer | undefined
  readonly logLevel: LogLevel
  readonly meaning: MeaningMode
  /** Memory limit for open graphs, in bytes; undefined for a share of the heap. */
  readonly memory: number | undefined
  readonly demo: boolean
}

const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const
type LogLevel = (typeof LOG_LEVELS)[number]

/** All mistakes in the settings. */
export class ConfigError extends Error {
  readonly mistakes: readonly string[]

  constructor(mistakes: readonly string[]) {
    super(`The settings cannot be used:\n${mistakes.map((mistake) => `  - ${mistake}`).join('\n')}`)
    this.name = 'ConfigError'
    this.mistakes = mistakes
  }
}

/** Settings on the command line, which override the environment. */
interface Flags {
  readonly host?: string | undefined
  readonly port?: string | undefined
  readonly data?: string | undefined
  readonly demo?: boolean | undefined
}

const KNOWN = ['HOST', 'PORT', 'DATA', 'SECRET', 'URL', 'GRAPH', 'LOG_LEVEL']
  .map((name) => `LOREGRAPH_${name}`)
  .concat(
    [...MEANING_SETTINGS, ...MEMORY_SETTINGS, ...SERVING_SETTINGS, ...DATABASE_SETTINGS].map(
      ([name]) => name,
    ),
  )
const MIN_SECRET_LENGTH = 32
const BEARER_TOKEN = /^[A-Za-z0-9._~+/-]+=*$/

/**
 * Reads the settings of `serve` from flags, environment and defaults, in this order. Throws `ConfigError`.
 */
export function readConfig(env: Environment, flags: Flags): Config {
  const mistakes = unknownSettings(env)
  const setting = (flag: 'host' | 'port' | 'data', name: string, fallback: string) => {
    const value = flags[flag] ?? env[name] ?? fallback
    if (value.trim() === '') mistakes.push(`${name} (--${flag}) is empty. Leave it out to use ${fallback}.`)
    return value
  }
  const host = setting('host', 'LOREGRAPH_HOST', '127.0.0.1')
  const port = setting('port', 'LOREGRAPH_PORT', '7400')
  const data = setting('data', 'LOREGRAPH_DATA', './data')
  const level = env['LOREGRAPH_LOG_LEVEL'] ?? 'info'
  const logLevel = LOG_LEVELS.find((known) => known === level)
  const secret = env['LOREGRAPH_SECRET']
  if (host.trim() !== '' && !isHost(host))
    mistakes.push(`LOREGRAPH_HOST (--host) must be a host name or an address, not ${JSON.stringify(host)}.`)
  if (port.trim() !== '' && !(/^(0|[1-9]\d{0,4})$/.test(port) && Number(port) <= 65_535))
    mistakes.push(
      `LOREGRAPH_PORT (--port) must be a whole number from 0 to 65535, not ${JSON.stringify(port)}.`,
    )
  if (data.includes('\0')) mistakes.push(NUL_IN_DATA)
  if (logLevel === undefined)
    mistakes.push(
      `LOREGRAPH_LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}, not ${JSON.stringify(level)}.`,
    )
  const meaning = readMeaning(env, mistakes)
  const memory = readMemory(env, mistakes)
  const serving = readServing(env, mistakes)
  const database = readDatabase(env, mistakes)
  mistakes.push(...secretMistakes(secret, host))
  if (mistakes.length > 0) throw new ConfigError(mistakes)
  return Object.freeze({
    host,
    port: Number(port),
    data,
    database,
    secretHash: secret === undefined ? undefined : hashSecret(secret),
    logLevel: logLevel ?? 'info',
    meaning,
    memory,
    ...serving,
    // On loopback, other host names are refused: protection against DNS rebinding
    // (http/steps/allowed-host.ts).
    allowedHosts: serving.allowedHosts ?? (isLoopback(host) ? [] : undefined),
    demo: flags.demo ?? false,
  })
}

/** Messages for `LOREGRAPH_` variables that are no settings: most likely misspelled names. */
export function unknownSettings(env: Environment): string[] {
  return Object.keys(env)
    .filter((name) => name.startsWith('LOREGRAPH_') && !KNOWN.includes(name))
    .map((name) => `${name} is not a setting. Known are ${KNOWN.join(', ')}.`)
}

export const NUL_IN_DATA = 'LOREGRAPH_DATA (--data) must not hold a NUL character.'

/** The messages must not repeat the secret. */
function secretMistakes(secret: string | undefined, host: string): string[] {
  if (secret === undefined)
    return isLoopback(host)
      ? []
      : [
          `LOREGRAPH_SECRET must be set to listen on ${host}, where others can reach it. Or listen on 127.0.0.1.`,
        ]
  const mistakes: string[] = []
  if (secret.length < MIN_SECRET_LENGTH)
    mistakes.push(
      `LOREGRAPH_SECRET must have at least ${MIN_SECRET_LENGTH} characters; it has ${secret.length}.`,
    )
  if (secret !== '' && !isSendable(secret)) mistakes.push(UNSENDABLE_SECRET)
  return mistakes
}

/** Whether the secret can be sent in an `Authorization` header. */
export function isSendable(secret: string): boolean {
  return BEARER_TOKEN.test(secret)
}

export const UNSENDABLE_SECRET =
  'LOREGRAPH_SECRET must be of A-Z a-z 0-9 . _ ~ + / - only, as an Authorization header can hold it.'

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
}
