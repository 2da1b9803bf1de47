import type { Tables } from './tables.js'

/** Bytes to be added to the blocks of an index, by what they are found under and the number of the block. */
export class Blocks {
  readonly #bytes = new Map<string, { key: string; block: number; bytes: number[] }>()

  at(key: string, block: number): number[] {
    const name = `${block} ${key}`
    const known = this.#bytes.get(name)
    if (known !== undefined) return known.bytes
    const bytes: number[] = []
    this.#bytes.set(name, { key, block, bytes })
    return bytes
  }

  /** In the order of the index, which spares the database much jumping about. */
  async flush(tables: Tables, table: string, key: string): Promise<void> {
    const entries = [...this.#bytes.values()].sort((a, b) => (a.key < b.key ? -1 : 1))
    await tables.insert(
      table,
      [
        [key, 'text', entries.map((entry) => entry.key)],
        ['block', 'integer', entries.map(({ block }) => block)],
        ['entries', 'bytea', entries.map(({ bytes }) => Buffer.from(bytes))],
      ],
      `ON CONFLICT (graph_id, ${key}, block) DO UPDATE SET entries = ${table}.entries || excluded.entries`,
    )
  }
}
