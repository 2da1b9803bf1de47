import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '../../store/logger.js'
import type { Database } from './database.js'

/** The maximum wait for a vacuum. Enough for a table that was vacuumed recently. */
const PATIENCE_MS = 2_000
const TABLES = ['entries', 'vectors'] as const
export type ErasedTable = (typeof TABLES)[number]

/** Vacuums erased text from dead rows, one run at a time: erasures that complete during a run share the next. */
export class Vacuum {
  readonly #database: Database
  readonly #log: Pick<Logger, 'warn'>
  readonly #tables = new Set<ErasedTable>()
  #next: Promise<void> | undefined
  #last: Promise<void> = Promise.resolve()

  constructor(database: Database, log: Pick<Logger, 'warn'>) {
    this.#database = database
    this.#log = log
  }

  /** Resolves when the vacuum is done, or continues in the background; never rejects. */
  async run(tables: readonly ErasedTable[]): Promise<void> {
    for (const table of tables) this.#tables.add(table)
    this.#next ??= this.#afterLast()
    const waiting = new AbortController()
    await Promise.race([
      this.#next,
      sleep(PATIENCE_MS, undefined, { ref: false, signal: waiting.signal }),
    ]).catch(() => undefined)
    waiting.abort()
  }

  /** Resolves when no vacuum is running. */
  async waitUntilIdle(): Promise<void> {
    await (this.#next ?? this.#last)
  }

  async #afterLast(): Promise<void> {
    await this.#last
    const tables = TABLES.filter((table) => this.#tables.delete(table))
    this.#next = undefined
    this.#last = this.#database.maintain(`VACUUM ${tables.join()}`).catch((error: unknown) => {
      this.#log.warn({ err: error }, 'Erased text could not be vacuumed; autovacuum removes it later.')
    })
    return this.#last
  }
}
