import type { PastEvent } from '../../../domain/events/recording.js'
import { errorCode, Failure } from '../../../domain/failure.js'
import type { Database } from '../connection/database.js'
import type { Session } from '../connection/session.js'

/** About so many letters of events are kept in memory for each import; what comes before is in the database. */
const SLICE = 256 * 1024
const EVERY_MS = 60_000
/** So many times longer than `EVERY_MS` that a process which is held up for a while does not lose what it received. */
const ALIVE = `interval '10 minutes'`
/** SQLSTATE of a slice whose import is gone. */
const NO_IMPORT = '23503'

const BEGIN = {
  name: 'begin-import',
  text: `INSERT INTO imports (import_id, alive_until) VALUES (gen_random_uuid(), now() + ${ALIVE}) RETURNING import_id`,
}
const KEEP = {
  name: 'keep-slice',
  text: 'INSERT INTO import_slices (import_id, number, events) VALUES ($1, $2, $3)',
}
const LOCK = {
  name: 'lock-import',
  text: 'SELECT 1 AS found FROM imports WHERE import_id = $1 FOR UPDATE',
}
const SLICE_OF = {
  name: 'slice-of-import',
  text: 'SELECT events FROM import_slices WHERE import_id = $1 AND number = $2',
}
const END = { name: 'end-import', text: 'DELETE FROM imports WHERE import_id = $1' }
const GO_ON = {
  name: 'go-on-importing',
  text: `UPDATE imports SET alive_until = now() + ${ALIVE} WHERE import_id IN (
      SELECT import_id FROM imports WHERE import_id = ANY($1) FOR NO KEY UPDATE SKIP LOCKED)`,
}
/** One that is locked is being made a graph of, however long that takes. */
const CLEAN = {
  name: 'clean-imports',
  text: `DELETE FROM imports WHERE import_id IN (
      SELECT import_id FROM imports WHERE alive_until < now() FOR UPDATE SKIP LOCKED)`,
}
const UNHURRIED = { verb: 'imported', unhurried: true } as const

/** Does work when nothing else of this process writes to the same graph. */
export type Alone = <T>(work: () => Promise<T>) => Promise<T>

/**
 * Receives the events of imports, however slowly they come: a connection is needed only while a slice is written. What is
 * left of imports that never ended, since their process was killed, is removed at the start and from time to time.
 */
export class Staging {
  readonly #database: Database
  readonly #timer: NodeJS.Timeout
  /** The imports of this process that have slices. */
  readonly #ids = new Set<string>()

  constructor(database: Database) {
    this.#database = database
    this.#timer = setInterval(() => this.clean().catch(() => undefined), EVERY_MS).unref()
  }

  /** Tells that the imports of this process go on, and removes those of which none has told so for long. */
  async clean(): Promise<void> {
    if (this.#ids.size > 0) await this.#database.ask((session) => session.rows(GO_ON, [[...this.#ids]]))
    await this.#database.write((session) => session.rows(CLEAN), UNHURRIED)
  }

  /** Takes events until they end, and gives them to `work` in a transaction, begun by `alone`, after which they are gone. */
  async receive<T>(
    events: AsyncIterable<readonly PastEvent[]>,
    alone: Alone,
    work: (session: Session, events: AsyncIterable<readonly PastEvent[]>) => Promise<T>,
  ): Promise<T> {
    const received = new Received(this.#database, this.#ids)
    try {
      for await (const some of events) for (const event of some) await received.add(event)
      const transaction = async (session: Session) => {
        const result = await work(session, received.events(session))
        await received.end(session)
        return result
      }
      return await alone(() => this.#database.write(transaction, UNHURRIED))
    } finally {
      await received.forget()
    }
  }

  close(): void {
    clearInterval(this.#timer)
  }
}

/** The events of one import: the first of them in slices, the last ones in memory. */
class Received {
  readonly #database: Database
  readonly #ids: Set<string>
  #id: string | undefined
  #isOver = false
  #slices = 0
  #last: string[] = []
  #letters = 0

  constructor(database: Database, ids: Set<string>) {
    this.#database = database
    this.#ids = ids
  }

  async add(event: PastEvent): Promise<void> {
    const text = JSON.stringify(event)
    this.#last.push(text)
    this.#letters += text.length
    if (this.#letters >= SLICE) await this.#flush()
  }

  /** Every event in order; the transaction holds the slices until it ends. */
  async *events(session: Session): AsyncGenerator<readonly PastEvent[]> {
    if (this.#id !== undefined && (await session.row(LOCK, [this.#id])) === undefined) throw lost()
    for (let number = 0; number < this.#slices; number++) {
      const slice = await session.row<{ events: string }>(SLICE_OF, [this.#id, number])
      if (slice === undefined) throw lost()
      yield eventsOf(slice.events)
    }
    yield eventsOf(textOf(this.#last))
  }

  async end(session: Session): Promise<void> {
    if (this.#id !== undefined) await session.rows(END, [this.#id])
    this.#isOver = true
  }

  /** What an import that failed leaves; if that fails as well, it goes when nobody says that the import goes on. */
  async forget(): Promise<void> {
    const id = this.#id
    if (id === undefined) return
    this.#ids.delete(id)
    if (this.#isOver) return
    await this.#database
      .write((session) => session.rows(END, [id]), { verb: 'imported' })
      .catch(() => undefined)
  }

  async #flush(): Promise<void> {
    const text = textOf(this.#last)
    const id = await this.#database
      .write(
        async (session) => {
          const id = this.#id ?? (await session.row<{ import_id: string }>(BEGIN))?.import_id
          await session.rows(KEEP, [id, this.#slices, text])
          return id
        },
        { verb: 'imported' },
      )
      .catch((error: unknown) => {
        throw errorCode(error) === NO_IMPORT ? lost() : error
      })
    if (id !== undefined) this.#ids.add(id)
    this.#id = id
    this.#slices++
    this.#last = []
    this.#letters = 0
  }
}

function textOf(events: readonly string[]): string {
  return `[${events.join()}]`
}

function eventsOf(text: string): readonly PastEvent[] {
  // Written by `Received.add`. JSON has no undefined, so that such fields are missing in it.
  return JSON.parse(text) as PastEvent[]
}

function lost(): Failure {
  return new Failure(
    'storage_unavailable',
    'The database has lost what it had received of the import; nothing was imported.',
  )
}
