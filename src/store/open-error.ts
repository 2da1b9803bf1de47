/** Exit codes of sysexits.h, which service managers understand. */
export const EXIT_IN_USE = 75
export const EXIT_BROKEN = 78

/** The store cannot be opened. The message is for the person who starts the service. */
export class OpenError extends Error {
  readonly exitCode: number

  constructor(message: string, exitCode: number, options?: ErrorOptions) {
    super(message, options)
    this.name = 'OpenError'
    this.exitCode = exitCode
  }
}
