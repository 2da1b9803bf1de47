import type { BulkWrite } from '../connection/bulk-write.js'

/** Entries to be added to the blocks of an index, by what they are found under and the number of the block. */
export class Blocks {
  readonly #blocks = new Map<string, { key: string; block: number; entries: string }>()

  get size(): number {
    return this.#blocks.size
  }

  add(key: string, block: number, entry: string): void {
    const name = `${block} ${key}`
    const known = this.#blocks.get(name)
    if (known === undefined) this.#blocks.set(name, { key, block, entries: entry })
    else known.entries += entry
  }

  /** In the order of the index, which spares the database much jumping about. */
  async flush(tables: BulkWrite, table: string, key: string): Promise<void> {
    const rows = [...this.#blocks.values()].sort((a, b) => (a.key < b.key ? -1 : 1))
    await tables.insert(
      table,
      [
        [key, 'text', rows.map((row) => row.key)],
        ['block', 'integer', rows.map(({ block }) => block)],
        ['entries', 'text', rows.map(({ entries }) => entries)],
      ],
      `ON CONFLICT (graph_id, ${key}, block) DO UPDATE SET entries = ${table}.entries || excluded.entries`,
    )
  }
}
