import { BulkWrite } from '../connection/bulk-write.js'
import type { Session } from '../connection/session.js'

/** An index of blocks, what its entries are found under, and how many letters each of them has. */
export interface BlockTable {
  readonly table: 'postings' | 'name_grams'
  readonly key: 'term' | 'gram'
  readonly letters: number
}

interface Cut {
  readonly key: string
  readonly block: number
  readonly entries: Set<string>
}

/** Entries to be taken out of the blocks of an index. */
export class Cuts {
  readonly #cuts = new Map<string, Cut>()

  get size(): number {
    return this.#cuts.size
  }

  add(key: string, block: number, entry: string): void {
    const name = `${block} ${key}`
    const known = this.#cuts.get(name)
    if (known === undefined) this.#cuts.set(name, { key, block, entries: new Set([entry]) })
    else known.entries.add(entry)
  }

  /** False, with nothing changed, when one of the entries is not there: then the index was not made by these rules. */
  async flush(session: Session, graphId: string, index: BlockTable): Promise<boolean> {
    if (this.size === 0) return true
    const { table, key, letters } = index
    const wanted = [...this.#cuts.values()]
    const rows = await session.rows<{ key: string; block: number; entries: string }>(statement(index), [
      graphId,
      wanted.map(({ key }) => key),
      wanted.map(({ block }) => block),
    ])
    const left = rows.map(({ key, block, entries }) => {
      const cut = this.#cuts.get(`${block} ${key}`)?.entries ?? new Set()
      const rest = without(entries, cut, letters)
      return { key, block, rest, isWhole: entries.length - rest.length === letters * cut.size }
    })
    if (left.length < wanted.length || left.some(({ isWhole }) => !isWhole)) return false
    const tables = new BulkWrite(session, graphId)
    const kept = left.filter(({ rest }) => rest !== '')
    tables.update(
      `cut-${table}`,
      table,
      [
        [key, 'text', kept.map(({ key }) => key)],
        ['block', 'integer', kept.map(({ block }) => block)],
        ['entries', 'text', kept.map(({ rest }) => rest)],
      ],
      2,
    )
    const empty = left.filter(({ rest }) => rest === '')
    tables.remove(table, [
      [key, 'text', empty.map(({ key }) => key)],
      ['block', 'integer', empty.map(({ block }) => block)],
    ])
    await tables.done()
    return true
  }
}

function statement({ table, key }: BlockTable) {
  return {
    name: `blocks-of-${table}`,
    text: `SELECT b.${key} AS key, b.block, b.entries FROM unnest($2::text[], $3::integer[]) AS wanted(key, block)
      CROSS JOIN LATERAL (SELECT ${key}, block, entries FROM ${table}
        WHERE graph_id = $1 AND ${key} = wanted.key AND block = wanted.block OFFSET 0) b`,
  }
}

function without(entries: string, cut: ReadonlySet<string>, letters: number): string {
  let rest = ''
  for (let at = 0; at < entries.length; at += letters) {
    const entry = entries.slice(at, at + letters)
    if (!cut.has(entry)) rest += entry
  }
  return rest
}
