import type { Logger } from 'pino'

/** The clock, randomness, output and signals of the process. */
export interface ServicePorts {
  readonly log: Logger
  readonly print: (line: string) => void
  readonly now: () => Date
  readonly randomBytes: (size: number) => Uint8Array
  readonly pid: number
  /** Resolves when the process is asked to stop. */
  readonly stop: Promise<void>
}
