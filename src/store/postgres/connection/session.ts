import type pg from 'pg'
import type { Turn } from '../../../loop/yielding.js'

/** A statement that the database prepares once for each connection, under its name. */
export interface SqlStatement {
  readonly name: string
  readonly text: string
}

interface SessionOptions {
  /** How long to wait for an answer, where it is not what the pool says. */
  readonly patience?: number | undefined
  /** When what was answered may be worked on. */
  readonly turn?: Turn | undefined
}

/**
 * One connection, inside a transaction or not. Statements are answered in the order in which they are asked, and the
 * next can be asked before the last was answered: those that are asked together travel together.
 */
export class Session {
  readonly #client: pg.ClientBase
  readonly #options: SessionOptions
  readonly #change: (statement: SqlStatement) => SqlStatement
  /** The session that this one is another face of. */
  readonly #of: Session
  #isOver = false

  constructor(
    client: pg.ClientBase,
    options: SessionOptions = {},
    change = (statement: SqlStatement) => statement,
    of?: Session,
  ) {
    this.#client = client
    this.#options = options
    this.#change = change
    this.#of = of ?? this
  }

  /** The same connection and transaction; each statement is changed before it is asked. */
  changing(change: (statement: SqlStatement) => SqlStatement): Session {
    return new Session(this.#client, this.#options, change, this.#of)
  }

  async rows<Row extends object>(statement: SqlStatement, values: readonly unknown[] = []): Promise<Row[]> {
    return this.#query({ ...this.#change(statement), values: [...values] })
  }

  /** The first row, if there is one. */
  async row<Row extends object>(
    statement: SqlStatement,
    values: readonly unknown[] = [],
  ): Promise<Row | undefined> {
    return (await this.rows<Row>(statement, values))[0]
  }

  /** The connection is about to be used for something else: later statements are refused. */
  end(): void {
    this.#isOver = true
  }

  /**
   * The rows of a statement, as many at a time as are asked for and none after the last, as they were when this was
   * called, whatever the same transaction changes since. The cursor lasts as long as the transaction.
   */
  async cursor<Row extends object>(
    { name, text }: SqlStatement,
    values: readonly unknown[],
  ): Promise<(many: number) => Promise<Row[]>> {
    await this.rows(
      { name: `declare-${name}`, text: `DECLARE "${name}" NO SCROLL CURSOR FOR ${text}` },
      values,
    )
    return (many) => this.#query<Row>({ text: `FETCH ${many} FROM "${name}"` })
  }

  async #query<Row extends object>(query: pg.QueryConfig): Promise<Row[]> {
    if (this.#of.#isOver) throw new Error('The transaction that this session was for is over.')
    const { patience, turn } = this.#options
    const timeout = patience === undefined ? {} : { query_timeout: patience }
    const { rows } = await this.#client.query<Row>({ ...query, ...timeout })
    await turn?.()
    return rows
  }

  /** A statement without values, which is not worth preparing. */
  async run(text: string): Promise<void> {
    await this.#query({ text })
  }
}
