import { EXIT_BROKEN, EXIT_IN_USE } from '../../store/open-error.js'

/** The one table of exit codes, those of sysexits.h where it has one, which scripts and service managers know. */
export const EXITS = {
  fine: { code: 0, means: 'it was done' },
  failed: { code: 1, means: 'something went wrong inside Loregraph' },
  torn: { code: 3, means: 'verify: only a last write that was never acknowledged is incomplete' },
  usage: { code: 64, means: 'the command line is wrong' },
  data: { code: 65, means: 'what was given is truncated, tampered with or malformed' },
  noInput: { code: 66, means: 'a file, a folder, a graph or a key is not there' },
  unavailable: { code: 69, means: 'the service cannot be reached or is not ready' },
  exists: { code: 73, means: 'the graph or the file is there already, or cannot be made' },
  disk: { code: 74, means: 'the disk is full or failed' },
  inUse: {
    code: EXIT_IN_USE,
    means: 'the data folder or the port is in use, or the service is busy; try again',
  },
  noPermission: { code: 77, means: 'the secret is not known or does not allow this' },
  config: { code: EXIT_BROKEN, means: 'a setting is wrong, or the data folder is damaged' },
} as const satisfies Readonly<Record<string, Exit>>

interface Exit {
  readonly code: number
  readonly means: string
}

export type ExitName = keyof typeof EXITS

/** A sentence for whoever gave the command, and the code to exit with. */
export class Stop extends Error {
  readonly exitCode: number

  constructor(exit: ExitName, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'Stop'
    this.exitCode = EXITS[exit].code
  }
}
