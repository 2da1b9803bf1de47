import { isMemoryId } from '../../../domain/ids.js'
import type { Link } from '../../../domain/model.js'
import type { EventRecord } from '../../records.js'
import type { Contexts } from './contexts.js'
import type { Memories } from './memories.js'
import { relate } from './relations.js'
import { type ContextRow, grown, type MemoryRow } from './rows.js'

/** The parts of a graph that links have to do with. */
interface Linked {
  readonly contexts: Contexts
  readonly rows: Memories
}

/** Notes the links that were stated with a memory. */
export function applyLinks(graph: Linked, row: MemoryRow, record: EventRecord): void {
  const { links, place, recordedAt: at, decisions } = record
  const contextOf = ({ target }: Link): ContextRow =>
    isMemoryId(target) ? graph.rows.get(target).context : graph.contexts.ensure(target, record)
  links.forEach((link, i) => {
    const to = contextOf(link)
    const isFirst = !row.links.some((known) => known.kind === link.kind && contextOf(known) === to)
    if (relate({ by: row, kind: link.kind, to, place, at, isFirst })) graph.contexts.relationships++
    if (!row.links.some(({ kind, target }) => kind === link.kind && target === link.target))
      row.links = grown(row.links, link)
    if (link.kind !== 'reinforcement') return
    for (const id of decisions?.bears[i] ?? []) reinforce(graph.rows.get(id), row, place)
  })
}

function reinforce(row: MemoryRow, by: MemoryRow, place: number): void {
  if (row !== by) row.reinforcedBy = grown(row.reinforcedBy, { place, by })
}
