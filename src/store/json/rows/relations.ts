import { byRelationship } from '../../../domain/links.js'
import type { Direction, LinkKind, Relationship } from '../../../domain/model.js'
import { NEARBY, type RelationshipFilter } from '../../store.js'
import { countThen, type Moment } from './moment.js'
import type { ContextRow, MemoryRow, RelationRow } from './rows.js'

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
