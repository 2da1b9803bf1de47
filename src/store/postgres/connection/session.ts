import type pg from 'pg'

/** A statement that the database prepares once for each connection, under its name. */
export interface SqlStatement {
  readonly name: string
  readonly text: string
}

/**
 * One connection, inside a transaction or not. Statements are answered in the order in which they are asked, and the
 * next can be asked before the last was answered: those that are asked together travel together.
 */
export class Session {
  readonly #client: pg.ClientBase
  /** How long to wait for an answer, where it is not what the pool says. */
  readonly #patience: number | undefined
  #isOver = false

  constructor(client: pg.ClientBase, patience?: number) {
    this.#client = client
    this.#patience = patience
  }

  async rows<Row extends object>(statement: SqlStatement, values: readonly unknown[] = []): Promise<Row[]> {
    if (this.#isOver) throw new Error('The transaction that this session was for is over.')
    const { rows } = await this.#client.query<Row>({ ...statement, ...this.#timeout(), values: [...values] })
    return rows
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

  /** A statement without values, which is not worth preparing. */
  async run(text: string): Promise<void> {
    await this.#client.query({ text, ...this.#timeout() })
  }

  #timeout(): object {
    return this.#patience === undefined ? {} : { query_timeout: this.#patience }
  }
}
