import type { Link, LinkKind } from './model.js'

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
