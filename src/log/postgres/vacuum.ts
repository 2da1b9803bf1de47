import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '../../store/logger.js'
import type { Database } from './database.js'

/** Longer than for a table that was vacuumed lately, and no answer waits longer. */
const PATIENCE_MS = 2_000
const TABLES = ['entries', 'vectors'] as const
export type ErasedTable = (typeof TABLES)[number]

/** Takes what was erased out of dead rows, one run at a time: erasures that end during a run share the next. */
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

  /** Resolves when it is done, or goes on behind; never rejects. */
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

  /** Resolves when nothing is under way. */
  async settled(): Promise<void> {
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
