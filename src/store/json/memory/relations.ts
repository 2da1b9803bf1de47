import { byRelationship } from '../../../domain/links.js'
import type { Direction, LinkKind, Relationship } from '../../../domain/model.js'
import { NEARBY, type RelationshipFilter } from '../../store.js'
import type { ContextRow, MemoryRow, RelationRow } from './rows.js'

/** Notes that a memory links its context to another; true if nothing has stated that link before. */
export function relate(by: MemoryRow, kind: LinkKind, to: ContextRow, at: string): boolean {
  const before = by.context.outgoing.size
  by.context.outgoing = noted(by.context.outgoing, kind, to, by, at)
  to.incoming = noted(to.incoming, kind, by.context, by, at)
  return by.context.outgoing.size > before
}

export function relationshipsOf(
  { outgoing, incoming }: ContextRow,
  filter: RelationshipFilter,
): readonly Relationship[] {
  const listed = (from: ReadonlyMap<string, RelationRow>, direction: Direction) =>
    filter.direction !== undefined && filter.direction !== direction
      ? []
      : [...from.values()]
          .filter(({ kind }) => filter.kind === undefined || filter.kind === kind)
          .map((relation) => toRelationship(relation, direction))
  return [...listed(outgoing, 'outgoing'), ...listed(incoming, 'incoming')].sort(byRelationship)
}

function noted(
  relations: ReadonlyMap<string, RelationRow>,
  kind: LinkKind,
  other: ContextRow,
  by: MemoryRow,
  at: string,
): ReadonlyMap<string, RelationRow> {
  const key = keyOf(kind, other)
  const known = relations.get(key)
  if (known !== undefined) {
    if (known.statedBy.size < known.statedBy.add(by).size) {
      known.latest.push(by)
      if (known.latest.length > NEARBY) known.latest.shift()
    }
    known.lastSeen = at
    return relations
  }
  const relation = { kind, other, statedBy: new Set([by]), latest: [by], firstSeen: at, lastSeen: at }
  if (relations.size === 0) return new Map([[key, relation]])
  // Only `NOWHERE` is shared, and it is empty; every other map is this context's own.
  return (relations as Map<string, RelationRow>).set(key, relation)
}

function keyOf(kind: LinkKind, other: ContextRow): string {
  return `${kind} ${other.id}`
}

function toRelationship(
  { kind, other, statedBy, firstSeen, lastSeen }: RelationRow,
  direction: Direction,
): Relationship {
  return { kind, direction, contextId: other.id, weight: statedBy.size, firstSeen, lastSeen }
}
