import type { Environment } from '../../config/database.js'
import type { Terminal } from '../output/terminal.js'
import type { Values } from '../parse/options.js'
import type { Api } from '../target/api.js'

export interface CommandPorts {
  readonly env: Environment
  readonly terminal: Terminal
  readonly now: () => Date
  readonly randomBytes: (size: number) => Uint8Array
  readonly pid: number
  /** The command line that runs this program. */
  readonly program: readonly string[]
  /** Resolves when the process that started this one is gone; never if absent. */
  readonly parentExited?: () => Promise<void>
}

export interface BareJob extends CommandPorts {
  readonly values: Values
  readonly operands: readonly string[]
  /** A line of the result, on stdout. */
  print(line: string): void
  /** A line beside the result, on stderr. */
  note(line: string): void
}

/** A command with its arguments and its target, of which nothing is opened or asked before the first request. */
export interface Job extends BareJob {
  readonly api: Api
  /** Where the service is, if it is one that is asked. */
  readonly url?: string
}
