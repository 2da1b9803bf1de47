import { isMemoryId } from '../domain/ids.js'
import { byRelationship, writtenLink } from '../domain/links.js'
import type { Direction, Link, LinkKind, Relationship } from '../domain/model.js'
import { memoryOf } from '../domain/trust/fields.js'
import type { Contexts } from './contexts.js'
import type { Memories } from './memories.js'
import { NEARBY, type RelationshipFilter } from './reader.js'
import type { EventRecord } from './records.js'
import { append, type ContextRow, countAt, type MemoryRow, type Moment, type RelationRow } from './rows.js'

/** A memory links its context to another; `isFirst` if it is its first link of that kind to that context. */
export interface Linking {
  readonly by: MemoryRow
  readonly kind: LinkKind
  readonly to: ContextRow
  readonly place: number
  readonly at: string
  readonly isFirst: boolean
}

/** Adds a link. Returns true if the relation is new. */
export function relate({ by, kind, to, place, at, isFirst }: Linking): boolean {
  const from = by.context
  const relation = from.outgoing.get(keyOf(kind, to))
  if (relation !== undefined) {
    const weight = (relation.statements.at(-1)?.weight ?? 0) + (isFirst ? 1 : 0)
    relation.statements.push({ place, at, by, weight })
    return false
  }
  const added = { kind, from, to, statements: [{ place, at, by, weight: 1 }] }
  from.outgoing = addRelation(from.outgoing, keyOf(kind, to), added)
  to.incoming = addRelation(to.incoming, keyOf(kind, from), added)
  return true
}

export function relationshipsOf(
  context: ContextRow,
  filter: RelationshipFilter,
  moment: Moment,
): readonly Relationship[] {
  const list = (relations: ReadonlyMap<string, RelationRow>, direction: Direction) =>
    filter.direction !== undefined && filter.direction !== direction
      ? []
      : [...relations.values()]
          .filter(({ kind }) => filter.kind === undefined || filter.kind === kind)
          .flatMap((relation) => toRelationship(relation, direction, moment) ?? [])
  return [...list(context.outgoing, 'outgoing'), ...list(context.incoming, 'incoming')].sort(byRelationship)
}

/** The latest memories that state a relation, by their first statement of it, the newest last. */
export function latestStating({ statements }: RelationRow, moment: Moment): MemoryRow[] {
  const latest: MemoryRow[] = []
  for (let i = countAt(statements, moment) - 1; i >= 0 && latest.length < NEARBY; i--) {
    const statement = statements[i]
    if (statement !== undefined && statement.weight > (statements[i - 1]?.weight ?? 0))
      latest.unshift(statement.by)
  }
  return latest
}

function addRelation(
  relations: ReadonlyMap<string, RelationRow>,
  key: string,
  relation: RelationRow,
): ReadonlyMap<string, RelationRow> {
  if (relations.size === 0) return new Map([[key, relation]])
  // Safe to cast: the shared `NO_RELATIONS` is empty, and every other map belongs to this context.
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
  const [first, last] = [statements[0], statements[countAt(statements, moment) - 1]]
  if (first === undefined || last === undefined) return undefined
  const other = direction === 'outgoing' ? to : from
  return { kind, direction, contextId: other.id, weight: last.weight, firstSeen: first.at, lastSeen: last.at }
}

/** The parts of a graph that links change. */
interface GraphParts {
  readonly contexts: Contexts
  readonly rows: Memories
}

/** Applies the links of a record to the relations, the memory and the memories it reinforces. */
export function applyLinks(graph: GraphParts, row: MemoryRow, record: EventRecord): void {
  const { links, place, recordedAt: at } = record
  if (links.length === 0) return
  const contextOf = ({ target }: Link): ContextRow =>
    isMemoryId(target) ? graph.rows.get(target).context : graph.contexts.ensure(target, record)
  const { linked, stated } = row.linkKeys ?? {
    linked: new Set(row.links.map((link) => `${link.kind} ${contextOf(link).id}`)),
    stated: new Set(row.links.map((link) => `${link.kind} ${writtenLink(link)}`)),
  }
  for (const link of links) {
    const to = contextOf(link)
    const isFirst = addKey(linked, `${link.kind} ${to.id}`)
    if (relate({ by: row, kind: link.kind, to, place, at, isFirst })) graph.contexts.relationships++
    if (addKey(stated, `${link.kind} ${writtenLink(link)}`)) row.links = append(row.links, link)
  }
  if (row.links.length > MAX_LINKS_WITHOUT_KEYS) row.linkKeys = { linked, stated }
  applySupport(graph, row, record)
}

/** Applies only the reinforcements of a record. A repeat by a weaker source changes nothing else. */
export function applySupport(
  graph: GraphParts,
  row: MemoryRow,
  { links, place, decisions }: EventRecord,
): void {
  for (const [i, { kind }] of links.entries())
    if (kind === 'reinforcement')
      for (const id of new Set(decisions?.bears[i]?.map(memoryOf))) reinforce(graph.rows.get(id), row, place)
}

/** A memory with more links caches their keys: a batch may repeat a memory a thousand times, with a hundred links each. */
const MAX_LINKS_WITHOUT_KEYS = 100

/** Adds a key; returns true if it is new. */
function addKey(keys: Set<string>, key: string): boolean {
  return keys.size < keys.add(key).size
}

function reinforce(row: MemoryRow, by: MemoryRow, place: number): void {
  if (row !== by) row.reinforcedBy = append(row.reinforcedBy, { place, by })
}
