import { ConfigError } from '../../config/config.js'
import { Failure } from '../../domain/failure.js'
import { EXITS, type ExitName } from './exits.js'

/** The code to exit with after an error that ended the program. */
export function exitCodeOf(error: unknown): number {
  if (!(error instanceof Error)) return EXITS.failed.code
  if (error instanceof ConfigError) return EXITS.config.code
  if (error instanceof Failure) return EXITS[exitOf(error.code)].code
  if ('exitCode' in error && typeof error.exitCode === 'number') return error.exitCode
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  if (code === undefined) return EXITS.failed.code
  return EXITS[OF_SYSTEM[code] ?? 'config'].code
}

/** What goes wrong by a code of the service, which is the same in the data folder and over HTTP. */
export function exitOf(code: string): ExitName {
  return OF_PROBLEM[code] ?? (code.startsWith('invalid_') ? 'data' : 'failed')
}

const OF_SYSTEM: Readonly<Record<string, ExitName>> = {
  EADDRINUSE: 'inUse',
  ENOSPC: 'disk',
  EDQUOT: 'disk',
  EFBIG: 'disk',
  EIO: 'disk',
}

const OF_PROBLEM: Readonly<Record<string, ExitName>> = {
  unknown_memory: 'data',
  content_too_large: 'data',
  not_found: 'noInput',
  graph_not_found: 'noInput',
  context_not_found: 'noInput',
  memory_not_found: 'noInput',
  key_not_found: 'noInput',
  graph_exists: 'exists',
  unauthorized: 'noPermission',
  insufficient_scope: 'noPermission',
  graph_forbidden: 'noPermission',
  beyond_own_key: 'noPermission',
  still_running: 'inUse',
  too_many_requests: 'inUse',
  overloaded: 'inUse',
  request_timeout: 'inUse',
  not_ready: 'unavailable',
  storage_unavailable: 'unavailable',
  storage_full: 'disk',
}
