import { isMemoryId } from '../../../domain/ids.js'
import { bearsOn, MOST_CONSIDERED } from '../../../domain/trust/trust.js'
import type { EventRecord } from '../../records.js'
import type { TermIndex } from '../search/term-index.js'
import type { Contexts } from './contexts.js'
import type { Memories } from './memories.js'
import { relate } from './relations.js'
import { type ContextRow, grown, type MemoryRow, type StatedLink } from './rows.js'
import type { Staleness } from './staleness.js'

/** The parts of a graph that links have to do with. */
interface Linked {
  readonly contexts: Contexts
  readonly memories: Memories
  readonly terms: TermIndex
  readonly staleness: Staleness
}

/**
 * Notes the links that were stated with a memory. Those that it has stated before only move `lastSeen`; new ones count
 * from this record on.
 */
export function applyLinks(graph: Linked, row: MemoryRow, { links, seq, recordedAt }: EventRecord): void {
  for (const link of links) {
    const target = isMemoryId(link.target) ? graph.memories.get(link.target) : undefined
    const context = target?.context ?? graph.contexts.ensure(link.target, recordedAt)
    if (relate(row, link.kind, context, recordedAt) && link.kind === 'extension') graph.staleness.changed()
    if (row.links.some(({ kind, target }) => kind === link.kind && target === link.target)) continue
    row.links = grown(row.links, link)
    const statement = { seq, by: row }
    if (link.kind === 'reinforcement') agree(graph, statement, target ?? context)
    if (link.kind === 'contradiction')
      contradict(graph, statement, target === undefined ? borne(graph, row, context) : [target])
  }
}

function agree({ staleness }: Linked, statement: StatedLink, onto: MemoryRow | ContextRow): void {
  onto.agreements = grown(onto.agreements, statement)
  staleness.changed()
}

/** Settled when the contradiction is recorded, by what the graph knew then: later memories do not change it. */
function borne({ terms }: Linked, row: MemoryRow, context: ContextRow): MemoryRow[] {
  const earlier = context.memories.slice(-MOST_CONSIDERED - 1).filter((other) => other !== row)
  const likeness = terms.likeness(
    row.number,
    earlier.map(({ number }) => number),
  )
  return bearsOn(likeness).flatMap((i) => earlier[i] ?? [])
}

function contradict({ staleness }: Linked, statement: StatedLink, borne: readonly MemoryRow[]): void {
  const first = statement.by.links.filter(({ kind }) => kind === 'contradiction').length === 1
  for (const row of borne) {
    if (row === statement.by) continue
    if (!first && row.contradictions.some(({ by }) => by === statement.by)) continue
    row.contradictions = grown(row.contradictions, statement)
    staleness.contradicted(row)
  }
}
