/** Exit codes of sysexits.h, which service managers know. */
export const EXIT_IN_USE = 75
export const EXIT_BROKEN = 78

/** The store will not open: a sentence for the person who starts it, and the code to exit with. */
export class OpenError extends Error {
  readonly exitCode: number

  constructor(message: string, exitCode: number, options?: ErrorOptions) {
    super(message, options)
    this.name = 'OpenError'
    this.exitCode = exitCode
  }
}
