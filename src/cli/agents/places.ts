import { createHash } from 'node:crypto'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Environment } from '../../config/database.js'

export function homeOf(env: Environment): string {
  return env['HOME'] || env['USERPROFILE'] || homedir()
}

/** Where hooks record what each session was already shown. */
export function sessionsFolder(env: Environment): string {
  return join(env['XDG_CACHE_HOME'] || join(homeOf(env), '.cache'), 'loregraph', 'sessions')
}

/** Where `connect` keeps the secrets of agents, and what it did for each. */
export function connectionsFolder(env: Environment): string {
  return join(env['XDG_CONFIG_HOME'] || join(homeOf(env), '.config'), 'loregraph', 'connections')
}

/** A file name for something with a name of any kind. */
export function fileNameFor(...parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32)
}
