import { Failure } from './failure.js'
import { isMemoryId } from './ids.js'
import { LINK_KINDS, type Link, type LinkKind, type MemoryId, type Relationship } from './model.js'
import { byCodeUnit } from './names.js'

/** What each kind of link is called in an event: the field says what the event does to its target. */
export const LINK_FIELDS = {
  reinforcement: 'reinforces',
  extension: 'extends',
  contradiction: 'contradicts',
  'related-to': 'related_to',
} as const satisfies Record<LinkKind, string>

export type LinkField = (typeof LINK_FIELDS)[LinkKind]

/** The targets of the links by field, in the order in which they were stated. */
export function linksByField(links: readonly Link[]): Record<LinkField, string[]> {
  const byField: Record<LinkField, string[]> = {
    reinforces: [],
    extends: [],
    contradicts: [],
    related_to: [],
  }
  for (const { kind, target } of links) byField[LINK_FIELDS[kind]].push(target)
  return byField
}

/** Each link with the JSON pointer at which its event states it, e.g. `/contradicts/0`. */
export function linkPaths(links: readonly Link[]): { target: string; path: string }[] {
  const counts = new Map<LinkKind, number>()
  return links.map(({ kind, target }) => {
    const index = counts.get(kind) ?? 0
    counts.set(kind, index + 1)
    return { target, path: `/${LINK_FIELDS[kind]}/${index}` }
  })
}

/** The order of relationships: outgoing before incoming, then by kind as in `LINK_KINDS`, then by the id of the other end. */
export function byRelationship(a: Relationship, b: Relationship): number {
  return (
    Number(a.direction === 'incoming') - Number(b.direction === 'incoming') ||
    LINK_KINDS.indexOf(a.kind) - LINK_KINDS.indexOf(b.kind) ||
    byCodeUnit(a.contextId, b.contextId)
  )
}

/** Refuses links to memories that the graph does not hold; `path` is where their event stands in the request. */
export function refuseUnknownMemories(
  links: readonly Link[],
  path: string,
  has: (memoryId: MemoryId) => boolean,
): void {
  const errors = linkPaths(links)
    .filter(({ target }) => isMemoryId(target) && !has(target))
    .map(({ target, path: at }) => ({ path: path + at, message: `The graph has no memory ${target}.` }))
  if (errors.length > 0)
    throw new Failure('unknown_memory', 'A link names a memory that the graph does not hold.', { errors })
}
