import type { LinkKind } from '../../domain/model.js'
import type { MemoryRow, Statement } from './rows.js'

export interface NeighbourRow extends Statement {
  readonly kind: LinkKind
}

/** What bears on a memory through stated links, in order of recording, each memory once per kind. */
export function neighboursOf(onto: MemoryRow): NeighbourRow[] {
  const found = new Map<string, NeighbourRow>()
  const add = (kind: LinkKind, { seq, by }: Statement) => {
    const key = `${kind} ${by.id}`
    if (by !== onto && !found.has(key)) found.set(key, { kind, seq, by })
  }
  for (const statement of onto.contradictions) add('contradiction', statement)
  for (const statement of onto.agreements) add('reinforcement', statement)
  for (const statement of onto.context.agreements)
    if (statement.seq > onto.seq) add('reinforcement', statement)
  for (const { kind, statedBy } of onto.context.incoming.values())
    if (kind === 'extension' || kind === 'related-to')
      for (const by of statedBy) add(kind, { seq: by.seq, by })
  return [...found.values()].sort((a, b) => a.seq - b.seq)
}
