import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import {
  ConfigError,
  isSendable,
  NUL_IN_DATA,
  UNSENDABLE_SECRET,
  unknownSettings,
} from '../../config/config.js'
import { type DatabaseSettings, type Environment, readDatabase } from '../../config/database.js'
import { type MeaningMode, readMeaning } from '../../config/meaning.js'
import { errorCode } from '../../domain/failure.js'
import { Stop } from '../output/exits.js'
import { OPTIONS, type Values } from '../parse/options.js'

/** The data folder or the database itself. */
export type Place =
  | { readonly kind: 'folder'; readonly folder: string; readonly meaning: MeaningMode }
  | { readonly kind: 'database'; readonly database: DatabaseSettings; readonly meaning: MeaningMode }

export interface Service {
  readonly kind: 'service'
  readonly url: string
  readonly secret: string
}

const USUAL_URL = 'http://127.0.0.1:7400'

/**
 * With `--url` or `LOREGRAPH_URL` the service, with `DATABASE_URL` the database unless `--data` names a folder, otherwise
 * the folder; an error that lists every mistake.
 */
export async function readTarget(env: Environment, values: Values): Promise<Place | Service> {
  const named = values.url ?? env['LOREGRAPH_URL']
  if (named !== undefined) return readService(env, values)
  const mistakes = unknownSettings(env)
  const meaning = readMeaning(env, mistakes)
  if (values.data !== undefined || env['DATABASE_URL'] === undefined)
    return { kind: 'folder', folder: readFolder(env, values, mistakes), meaning }
  const database = readDatabase(env, mistakes)
  if (values['secret-file'] !== undefined)
    mistakes.push('--secret-file goes with --url; the database needs no secret but its own.')
  if (mistakes.length > 0 || database === undefined) throw new ConfigError(mistakes)
  return { kind: 'database', database, meaning }
}

/** The service that is named, or else the usual one. */
export async function readService(env: Environment, values: Values): Promise<Service> {
  const url = values.url ?? env['LOREGRAPH_URL'] ?? USUAL_URL
  const mistakes = [...unknownSettings(env), ...urlMistakes(url)]
  const file = values['secret-file']
  const secret = file === undefined ? env['LOREGRAPH_SECRET'] : (await readSecretFile(file)).trim()
  if (secret === undefined || secret === '')
    mistakes.push(
      file === undefined
        ? 'LOREGRAPH_SECRET (or --secret-file) must give the secret to ask the service with.'
        : `--secret-file: ${file} is empty.`,
    )
  else if (!isSendable(secret))
    mistakes.push(file === undefined ? UNSENDABLE_SECRET : `--secret-file: ${file} does not hold a secret.`)
  if (mistakes.length > 0) throw new ConfigError(mistakes)
  return { kind: 'service', url: url.replace(/\/+$/, ''), secret: secret ?? '' }
}

/** `mistakes` are those in other settings. */
export function readFolder(env: Environment, values: Values, mistakes = unknownSettings(env)): string {
  const folder = values.data ?? env['LOREGRAPH_DATA'] ?? OPTIONS.data.fallback
  if (folder.trim() === '')
    mistakes.push(`LOREGRAPH_DATA (--data) is empty. Leave it out to use ${OPTIONS.data.fallback}.`)
  if (folder.includes('\0')) mistakes.push(NUL_IN_DATA)
  if (values['secret-file'] !== undefined)
    mistakes.push('--secret-file goes with --url; the data folder needs no secret.')
  if (mistakes.length > 0) throw new ConfigError(mistakes)
  return folder
}

function urlMistakes(url: string): string[] {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol))
    return [
      `LOREGRAPH_URL (--url) must be an address such as http://127.0.0.1:7400, not ${JSON.stringify(url)}.`,
    ]
  // A secret in an address would show in process lists and logs.
  if (parsed.username !== '' || parsed.password !== '')
    return ['LOREGRAPH_URL (--url) must not hold a name or a password. Give the secret in LOREGRAPH_SECRET.']
  return parsed.search === '' && parsed.hash === ''
    ? []
    : ['LOREGRAPH_URL (--url) must end before any ? or #.']
}

/** The content of `--secret-file`. Agent hosts start us without a shell, which would know what `~` is. */
async function readSecretFile(file: string): Promise<string> {
  try {
    return await readFile(file.replace(/^~(?=\/)/, homedir()), 'utf8')
  } catch (error) {
    const code = errorCode(error) ?? error
    throw new Stop('noInput', `--secret-file: ${file} cannot be read (${code}).`, { cause: error })
  }
}
