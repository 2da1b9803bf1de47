import { ConfigError } from '../../config/config.js'
import { errorCode, Failure } from '../../domain/failure.js'
import { PROBLEMS, type ProblemCode } from '../../http/problems/problems.js'
import { EXIT_BROKEN, EXIT_IN_USE } from '../../store/open-error.js'

/** The one table of exit codes, those of sysexits.h where it has one, which scripts and service managers know. */
export const EXITS = {
  fine: { code: 0, means: 'it was done' },
  failed: { code: 1, means: 'something went wrong inside Loregraph; eval: a case failed' },
  torn: { code: 3, means: 'verify: only a last write that was never acknowledged is incomplete' },
  usage: { code: 64, means: 'the command line is wrong' },
  data: { code: 65, means: 'what was given is truncated, tampered with or malformed' },
  noInput: { code: 66, means: 'a file, a folder, a graph or a key is not there' },
  unavailable: { code: 69, means: 'the service cannot be reached or is not ready' },
  exists: { code: 73, means: 'the graph or the file is there already, or cannot be made' },
  disk: { code: 74, means: 'the disk is full or failed, or the output could not be written' },
  inUse: {
    code: EXIT_IN_USE,
    means: 'the data folder or the port is in use, or the service is busy; try again',
  },
  noPermission: { code: 77, means: 'the secret is not known or does not allow this' },
  config: {
    code: EXIT_BROKEN,
    means: 'a setting is wrong, or the data folder or the installation is damaged',
  },
} as const satisfies Readonly<Record<string, Exit>>

interface Exit {
  readonly code: number
  readonly means: string
}

export type ExitName = keyof typeof EXITS

/** Ends the program with a sentence on stderr and an exit code. */
export class Stop extends Error {
  readonly exit: ExitName

  constructor(exit: ExitName, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'Stop'
    this.exit = exit
  }

  get exitCode(): number {
    return EXITS[this.exit].code
  }
}

/** One sentence or several about the command line, and where to read on. */
export function usage(mistakes: readonly string[], command = '', options?: ErrorOptions): Stop {
  const help = ['loregraph', command, '--help'].filter((word) => word !== '').join(' ')
  const gap = mistakes.length === 1 ? ' ' : '\n'
  return new Stop('usage', `${mistakes.join('\n')}${gap}See ${help}.`, options)
}

export function exitCodeOf(error: unknown): number {
  if (!(error instanceof Error)) return EXITS.failed.code
  if (error instanceof ConfigError) return EXITS.config.code
  if (error instanceof Failure) return EXITS[exitOf(error.code)].code
  if ('exitCode' in error && typeof error.exitCode === 'number') return error.exitCode
  const code = errorCode(error)
  if (code === undefined) return EXITS.failed.code
  const isOurs = code.startsWith('ERR_') && code !== 'ERR_MODULE_NOT_FOUND'
  return EXITS[OF_SYSTEM[code] ?? (isOurs ? 'failed' : 'config')].code
}

/** The exit for a problem code, which is the same in the data folder and over HTTP. */
export function exitOf(code: string): ExitName {
  if (!Object.hasOwn(PROBLEMS, code)) return 'failed'
  const problem = code as ProblemCode
  // The client of this program causes no other status, so that something is wrong inside.
  return OF_PROBLEM[problem] ?? OF_STATUS[PROBLEMS[problem].status] ?? 'failed'
}

const OF_SYSTEM: Readonly<Record<string, ExitName>> = {
  EADDRINUSE: 'inUse',
  ENOSPC: 'disk',
  EDQUOT: 'disk',
  EFBIG: 'disk',
  EIO: 'disk',
}

const OF_STATUS: Readonly<Record<number, ExitName>> = {
  400: 'data',
  401: 'noPermission',
  403: 'noPermission',
  404: 'noInput',
  408: 'inUse',
  409: 'exists',
  413: 'data',
  414: 'data',
  421: 'config',
  422: 'data',
  429: 'inUse',
  431: 'data',
  503: 'unavailable',
  507: 'disk',
}

/** Where the status would say something else. */
const OF_PROBLEM: Readonly<Partial<Record<ProblemCode, ExitName>>> = {
  still_running: 'inUse',
  overloaded: 'inUse',
  graph_too_large: 'unavailable',
}
