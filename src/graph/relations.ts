import { isMemoryId } from '../domain/ids.js'
import { byRelationship, writtenLink } from '../domain/links.js'
import type { Direction, Link, LinkKind, Relationship } from '../domain/model.js'
import { memoryOf } from '../domain/trust/fields.js'
import type { Contexts } from './contexts.js'
import type { Memories } from './memories.js'
import { NEARBY, type RelationshipFilter } from './reader.js'
import type { EventRecord } from './records.js'
import { type ContextRow, countThen, grown, type MemoryRow, type Moment, type RelationRow } from './rows.js'

/** A memory links its context to another; `isFirst` when it has not done so before. */
export interface Linking {
  readonly by: MemoryRow
  readonly kind: LinkKind
  readonly to: ContextRow
  readonly place: number
  readonly at: string
  readonly isFirst: boolean
}

/** True if nothing has stated that link before. */
export function relate({ by, kind, to, place, at, isFirst }: Linking): boolean {
  const from = by.context
  const known = from.outgoing.get(keyOf(kind, to))
  if (known !== undefined) {
    const weight = (known.statements.at(-1)?.weight ?? 0) + (isFirst ? 1 : 0)
    known.statements.push({ place, at, by, weight })
    return false
  }
  const relation = { kind, from, to, statements: [{ place, at, by, weight: 1 }] }
  from.outgoing = added(from.outgoing, keyOf(kind, to), relation)
  to.incoming = added(to.incoming, keyOf(kind, from), relation)
  return true
}

export function relationshipsOf(
  context: ContextRow,
  filter: RelationshipFilter,
  moment: Moment,
): readonly Relationship[] {
  const listed = (relations: ReadonlyMap<string, RelationRow>, direction: Direction) =>
    filter.direction !== undefined && filter.direction !== direction
      ? []
      : [...relations.values()]
          .filter(({ kind }) => filter.kind === undefined || filter.kind === kind)
          .flatMap((relation) => toRelationship(relation, direction, moment) ?? [])
  return [...listed(context.outgoing, 'outgoing'), ...listed(context.incoming, 'incoming')].sort(
    byRelationship,
  )
}

/** The last few memories that state a relation, the newest last; each at the first time that it did. */
export function latestStating({ statements }: RelationRow, moment: Moment): MemoryRow[] {
  const latest: MemoryRow[] = []
  for (let i = countThen(statements, moment) - 1; i >= 0 && latest.length < NEARBY; i--) {
    const statement = statements[i]
    if (statement !== undefined && statement.weight > (statements[i - 1]?.weight ?? 0))
      latest.unshift(statement.by)
  }
  return latest
}

function added(
  relations: ReadonlyMap<string, RelationRow>,
  key: string,
  relation: RelationRow,
): ReadonlyMap<string, RelationRow> {
  if (relations.size === 0) return new Map([[key, relation]])
  // Only `NOWHERE` is shared, and it is empty; every other map is this context's own.
  return (relations as Map<string, RelationRow>).set(key, relation)
}

function keyOf(kind: LinkKind, other: ContextRow): string {
  return `${kind} ${other.id}`
}

function toRelationship(
  { kind, from, to, statements }: RelationRow,
  direction: Direction,
  moment: Moment,
): Relationship | undefined {
  const [first, last] = [statements[0], statements[countThen(statements, moment) - 1]]
  if (first === undefined || last === undefined) return undefined
  const other = direction === 'outgoing' ? to : from
  return { kind, direction, contextId: other.id, weight: last.weight, firstSeen: first.at, lastSeen: last.at }
}

/** The parts of a graph that links have to do with. */
interface Linked {
  readonly contexts: Contexts
  readonly rows: Memories
}

/** Notes the links that were stated with a memory, and what it reinforces by them. */
export function applyLinks(graph: Linked, row: MemoryRow, record: EventRecord): void {
  const { links, place, recordedAt: at } = record
  if (links.length === 0) return
  const contextOf = ({ target }: Link): ContextRow =>
    isMemoryId(target) ? graph.rows.get(target).context : graph.contexts.ensure(target, record)
  const { linked, stated } = row.linksKnown ?? {
    linked: new Set(row.links.map((link) => `${link.kind} ${contextOf(link).id}`)),
    stated: new Set(row.links.map((link) => `${link.kind} ${writtenLink(link)}`)),
  }
  for (const link of links) {
    const to = contextOf(link)
    const isFirst = isNew(linked, `${link.kind} ${to.id}`)
    if (relate({ by: row, kind: link.kind, to, place, at, isFirst })) graph.contexts.relationships++
    if (isNew(stated, `${link.kind} ${writtenLink(link)}`)) row.links = grown(row.links, link)
  }
  if (row.links.length > MANY) row.linksKnown = { linked, stated }
  applySupport(graph, row, record)
}

/** What a record reinforces: all that one by a weaker source than those who said it before links. */
export function applySupport(graph: Linked, row: MemoryRow, { links, place, decisions }: EventRecord): void {
  for (const [i, { kind }] of links.entries())
    if (kind === 'reinforcement')
      for (const id of new Set(decisions?.bears[i]?.map(memoryOf))) reinforce(graph.rows.get(id), row, place)
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
