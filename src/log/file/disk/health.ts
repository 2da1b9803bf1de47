import { Failure, storeClosed } from '../../../domain/failure.js'
import type { Health } from '../../../store/health.js'
import type { Logger } from '../../../store/logger.js'
import { Fatal } from './errors.js'

/** Whether the store is writable, and whether it was closed. */
export class StoreHealth {
  readonly #log: Logger
  readonly #onFatal: ((error: Error) => void) | undefined
  #lost: Fatal | undefined
  current: Health
  closed = false

  constructor(health: Health, log: Logger, onFatal: ((error: Error) => void) | undefined) {
    this.current = health
    this.#log = log
    this.#onFatal = onFatal
  }

  /** Logs a failed write. After a fatal error, the store is no longer writable. */
  noteFailure(error: unknown): void {
    this.#log.error({ err: error }, 'A write failed.')
    if (!(error instanceof Fatal) || !this.current.writable) return
    this.current = { writable: false, reason: error.message }
    this.#onFatal?.(error)
  }

  /** Another process writes to the folder: the copy in memory may be out of date, so every request is refused. */
  loseOwnership(error: Fatal): void {
    if (this.#lost !== undefined) return
    this.#lost = error
    this.current = { writable: false, reason: error.message }
    this.#log.error({ err: error }, 'The data folder is used by another process.')
    this.#onFatal?.(error)
  }

  refuseUnlessWritable(): void {
    this.refuseIfClosed()
    if (!this.current.writable)
      throw new Failure('storage_unavailable', `Nothing can be recorded: ${this.current.reason}`)
  }

  refuseIfClosed(): void {
    if (this.closed) throw storeClosed()
    if (this.#lost !== undefined) throw new Failure('storage_unavailable', this.#lost.message)
  }
}
