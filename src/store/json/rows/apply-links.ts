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
  if (links.length === 0) return
  const contextOf = ({ target }: Link): ContextRow =>
    isMemoryId(target) ? graph.rows.get(target).context : graph.contexts.ensure(target, record)
  const { linked, stated } = row.linksKnown ?? {
    linked: new Set(row.links.map((link) => `${link.kind} ${contextOf(link).id}`)),
    stated: new Set(row.links.map(({ kind, target }) => `${kind} ${target}`)),
  }
  links.forEach((link, i) => {
    const to = contextOf(link)
    const isFirst = isNew(linked, `${link.kind} ${to.id}`)
    if (relate({ by: row, kind: link.kind, to, place, at, isFirst })) graph.contexts.relationships++
    if (isNew(stated, `${link.kind} ${link.target}`)) row.links = grown(row.links, link)
    if (link.kind !== 'reinforcement') return
    for (const id of decisions?.bears[i] ?? []) reinforce(graph.rows.get(id), row, place)
  })
  if (row.links.length > MANY) row.linksKnown = { linked, stated }
}

/** An event may have a hundred links, and a batch a thousand such events that state the same memory. */
const MANY = 100

/** Adds a key, and says whether it was missing. */
function isNew(keys: Set<string>, key: string): boolean {
  return keys.size < keys.add(key).size
}

function reinforce(row: MemoryRow, by: MemoryRow, place: number): void {
  if (row !== by) row.reinforcedBy = grown(row.reinforcedBy, { place, by })
}
