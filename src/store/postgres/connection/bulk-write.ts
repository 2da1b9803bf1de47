import type { Session } from './session.js'

/** The name of a column, its type, and a value for each row. `text[]` comes as text such as `{a,b}`. */
export type Column = readonly [name: string, type: ColumnType, values: readonly unknown[]]
type ColumnType = 'integer' | 'bigint' | 'boolean' | 'text' | 'bytea' | 'text[]'

/** More are written in several statements. */
const MOST_ROWS = 10_000

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

  /** `more` is what to do with a row that is there already, or what to return. */
  insert<Row extends object>(
    table: string,
    columns: readonly Column[],
    more = '',
    name = `insert-${table}`,
  ): Promise<Row[]> {
    const rows = columns[0]?.[2].length ?? 0
    if (rows === 0) return Promise.resolve([])
    if (rows > MOST_ROWS) return this.#track(this.#insertInSlices(table, columns, more, name))
    const names = columns.map(([name]) => name)
    const chosen = columns.map(([name, type]) => (isList(type) ? `u.${name}::${type}` : `u.${name}`))
    return this.#run(
      name,
      `INSERT INTO ${table} (graph_id, ${names.join()})
        SELECT $1, ${chosen.join()} FROM ${unnested(columns)} ${more}`,
      columns,
    )
  }

  /** One after the other: no statement takes longer than it may, and others of this process have their turn between. */
  async #insertInSlices<Row extends object>(
    table: string,
    columns: readonly Column[],
    more: string,
    name: string,
  ): Promise<Row[]> {
    const inserted: Row[][] = []
    const rows = columns[0]?.[2].length ?? 0
    for (let from = 0; from < rows; from += MOST_ROWS) {
      const slice = columns.map(
        ([name, type, values]): Column => [name, type, values.slice(from, from + MOST_ROWS)],
      )
      inserted.push(await this.insert<Row>(table, slice, more, name))
    }
    return inserted.flat()
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

function unnested(columns: readonly Column[]): string {
  const arrays = columns.map(([, type], i) => `$${i + 2}::${isList(type) ? 'text' : type}[]`)
  return `unnest(${arrays.join()}) AS u(${columns.map(([name]) => name).join()})`
}

function isList(type: ColumnType): boolean {
  return type === 'text[]'
}
