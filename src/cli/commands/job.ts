import type { Environment } from '../../config/database.js'
import type { Terminal } from '../output/terminal.js'
import type { Values } from '../parse/options.js'
import type { Api } from '../target/api.js'
import type { Target } from '../target/target.js'

/** The environment, terminal, clock and randomness of the process. */
export interface CommandPorts {
  readonly env: Environment
  readonly terminal: Terminal
  readonly now: () => Date
  readonly randomBytes: (size: number) => Uint8Array
  readonly pid: number
  /** The command line that runs this program. */
  readonly program: readonly string[]
}

/** A command with its arguments and its target. */
export interface Job extends CommandPorts {
  readonly values: Values
  readonly operands: readonly string[]
  readonly target: Target
  /** A line of the result, on stdout. */
  print(line: string): void
  /** A line beside the result, on stderr. */
  note(line: string): void
}

/** Checks the command line, and throws before a folder is opened or a service asked; the rest is done with the `Api`. */
export type Prepare = (job: Job) => (api: Api) => Promise<void>
