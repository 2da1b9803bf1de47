import { isMemoryId } from '../../../domain/ids.js'
import type { EventRecord } from '../../records.js'
import { NEARBY } from '../../store.js'
import type { Contexts } from './contexts.js'
import type { Memories } from './memories.js'
import { relate } from './relations.js'
import { grown, type MemoryRow } from './rows.js'

/** The parts of a graph that links have to do with. */
interface Linked {
  readonly contexts: Contexts
  readonly rows: Memories
}

/** Notes the links that were stated with a memory; those that it has stated before only move `lastSeen`. */
export function applyLinks(
  graph: Linked,
  row: MemoryRow,
  { links, recordedAt, decisions }: EventRecord,
): void {
  links.forEach((link, i) => {
    const target = isMemoryId(link.target) ? graph.rows.get(link.target) : undefined
    const to = target?.context ?? graph.contexts.ensure(link.target, recordedAt)
    if (relate(row, link.kind, to, recordedAt)) graph.contexts.relationships++
    if (!row.links.some(({ kind, target }) => kind === link.kind && target === link.target))
      row.links = grown(row.links, link)
    if (link.kind !== 'reinforcement') return
    for (const id of decisions?.bears[i] ?? []) reinforce(graph.rows.get(id), row)
  })
}

function reinforce(row: MemoryRow, by: MemoryRow): void {
  if (row === by || row.reinforcedBy.includes(by)) return
  row.reinforcedBy = [...row.reinforcedBy, by].sort((a, b) => a.number - b.number).slice(-NEARBY)
}
