import type { ExitName } from '../output/exits.js'
import type { OptionName } from './options.js'

/** A command as the parser and the help know it. */
export interface Command {
  readonly name: string
  readonly summary: string
  readonly operands: readonly Operand[]
  readonly options: readonly OptionName[]
  /** Options that mean something else here than in the table of options. */
  readonly texts?: Readonly<Partial<Record<OptionName, string>>>
  readonly about: readonly string[]
  /** Each a line to paste and, if it needs one, what it is for. */
  readonly examples: readonly (readonly [string, string])[]
  readonly exits: readonly ExitName[]
}

interface Operand {
  readonly name: string
  readonly optional?: boolean
}
