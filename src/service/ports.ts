import type { Logger } from 'pino'

/** The clock, randomness, output and signals of the process. */
export interface ServicePorts {
  readonly log: Logger
  /** Number of log lines that could not be written. */
  readonly droppedLines: () => number
  readonly print: (line: string) => void
  /** Shows text on stdout; rejects if the write fails or stdout is /dev/null. */
  readonly show: (text: string) => Promise<void>
  readonly now: () => Date
  readonly randomBytes: (size: number) => Uint8Array
  readonly pid: number
  /** Resolves when the process is asked to stop. */
  readonly stop: Promise<void>
}
