import type { Session } from './session.js'

/** The name of a column, its type, and a value for each row. `text[]` comes as text such as `{a,b}`. */
export type Column = readonly [name: string, type: ColumnType, values: readonly unknown[]]
type ColumnType = 'integer' | 'bigint' | 'boolean' | 'text' | 'bytea' | 'text[]'

/** More are written in several statements: to put as many as these into one takes a few milliseconds. */
const MOST_ROWS = 2_000
const MOST_LONG_ROWS = 20
const MOST_LETTERS = 256 * 1024

/**
 * Writes many rows of one graph, in as few statements as can be. The values travel as one array for each column, and the
 * statements travel together: `done` waits for all of them.
 */
export class BulkWrite {
  readonly #session: Session
  readonly #graphId: string
  readonly #running: Promise<unknown>[] = []

  constructor(session: Session, graphId: string) {
    this.#session = session
    this.#graphId = graphId
  }

  /** `more` is what to do with a row that is there already. */
  insert(table: string, columns: readonly Column[], more = '', name = `insert-${table}`): Promise<unknown> {
    return this.#runInSlices(name, `${insertInto(table, columns)} ${more}`, columns)
  }

  /** Leaves alone the rows that are there already, and says how many of the others have the same `keys`. */
  insertNew<Keys extends object>(
    table: string,
    columns: readonly Column[],
    keys: readonly (string & keyof Keys)[],
  ): Promise<(Keys & { readonly count: number })[]> {
    const text = `WITH fresh AS (${insertInto(table, columns)} ON CONFLICT DO NOTHING RETURNING ${keys.join()})
      SELECT ${keys.join()}, count(*)::integer AS count FROM fresh GROUP BY ${keys.join()}`
    return this.#runInSlices(`insert-new-${table}`, text, columns)
  }

  /** One after the other: no statement takes longer than it may, and others of this process have their turn between. */
  #runInSlices<Row extends object>(name: string, text: string, columns: readonly Column[]): Promise<Row[]> {
    const rows = columns[0]?.[2].length ?? 0
    if (rows === 0) return Promise.resolve([])
    if (rows <= MOST_ROWS) return this.#run(name, text, columns)
    const inTurn = async () => {
      const answers: Row[] = []
      for (let from = 0; from < rows; from += MOST_ROWS) {
        const slice = columns.map(
          ([name, type, values]): Column => [name, type, values.slice(from, from + MOST_ROWS)],
        )
        answers.push(...(await this.#run<Row>(name, text, slice)))
      }
      return answers
    }
    return this.#track(inTurn())
  }

  /** The first column says which row is meant, or the first few; the others are set. */
  update(name: string, table: string, columns: readonly Column[], keys = 1): void {
    if (columns[0] === undefined || columns[0][2].length === 0) return
    const same = columns.slice(0, keys).map(([key]) => `${table}.${key} = u.${key}`)
    const set = columns
      .slice(keys)
      .map(([name, type]) => `${name} = u.${name}${isList(type) ? `::${type}` : ''}`)
    this.#run(
      name,
      `UPDATE ${table} SET ${set.join()} FROM ${unnested(columns)}
        WHERE ${table}.graph_id = $1 AND ${same.join(' AND ')}`,
      columns,
    )
  }

  /** All columns say which row is meant. */
  remove(table: string, columns: readonly Column[]): void {
    if (columns[0]?.[2].length === 0) return
    const same = columns.map(([name]) => `${table}.${name} = u.${name}`)
    this.#run(
      `remove-${table}`,
      `DELETE FROM ${table} USING ${unnested(columns)} WHERE ${table}.graph_id = $1 AND ${same.join(' AND ')}`,
      columns,
    )
  }

  /** Resolves when everything is written. */
  async done(): Promise<void> {
    await Promise.all(this.#running)
  }

  #run<Row extends object>(name: string, text: string, columns: readonly Column[]): Promise<Row[]> {
    const values = columns.map(([, , values]) => values)
    return this.#track(this.#session.rows<Row>({ name, text }, [this.#graphId, ...values]))
  }

  #track<T>(running: Promise<T>): Promise<T> {
    running.catch(() => undefined)
    this.#running.push(running)
    return running
  }
}

/** For rows that may each be as long as a hundred others, with links, decisions and what they say: some at a time. */
export function longRows<T>(rows: readonly T[], lettersOf?: (row: T) => number): Iterable<readonly T[]> {
  return rowsAtATime(rows, lettersOf, MOST_LONG_ROWS)
}

/** As many rows at a time as one statement takes, by their number or by their letters. */
export function* rowsAtATime<T>(
  rows: readonly T[],
  lettersOf: (row: T) => number = () => 0,
  most = MOST_ROWS,
): Iterable<readonly T[]> {
  let some: T[] = []
  let letters = 0
  for (const row of rows) {
    letters += lettersOf(row)
    if (some.length === most || (some.length > 0 && letters > MOST_LETTERS)) {
      yield some
      some = []
      letters = lettersOf(row)
    }
    some.push(row)
  }
  if (some.length > 0) yield some
}

function insertInto(table: string, columns: readonly Column[]): string {
  const names = columns.map(([name]) => name)
  const chosen = columns.map(([name, type]) => (isList(type) ? `u.${name}::${type}` : `u.${name}`))
  return `INSERT INTO ${table} (graph_id, ${names.join()}) SELECT $1, ${chosen.join()} FROM ${unnested(columns)}`
}

function unnested(columns: readonly Column[]): string {
  const arrays = columns.map(([, type], i) => `$${i + 2}::${isList(type) ? 'text' : type}[]`)
  return `unnest(${arrays.join()}) AS u(${columns.map(([name]) => name).join()})`
}

function isList(type: ColumnType): boolean {
  return type === 'text[]'
}
