import { Failure } from './failure.js'
import { isMemoryId } from './ids.js'
import { LINK_KINDS, type Link, type LinkKind, type MemoryId, type Relationship } from './model.js'
import { byCodeUnit } from './names.js'
import { pointerStep } from './pointer.js'
import { quote } from './quote.js'

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
  for (const link of links) byField[LINK_FIELDS[link.kind]].push(writtenLink(link))
  return byField
}

/** A link as an event states it: a field of a memory is a JSON pointer behind its id, percent-encoded. */
export function writtenLink({ target, field }: Pick<Link, 'target' | 'field'>): string {
  return field === undefined ? target : `${target}#/${encodeURIComponent(pointerStep(field))}`
}

const WITH_FIELD = /^(mem_[^#]*)#\/(.*)$/su

/** The memory and the field that such a text names; undefined where it names a memory or a context as a whole. */
export function memoryField(text: string): { readonly target: MemoryId; readonly field: string } | undefined {
  const [, target, pointer] = WITH_FIELD.exec(text) ?? []
  if (target === undefined || pointer === undefined || !isMemoryId(target)) return undefined
  try {
    return { target, field: decodeURIComponent(pointer).replaceAll('~1', '/').replaceAll('~0', '~') }
  } catch {
    // What is no percent-encoding is the name of a field as it stands, which hardly any memory has.
    return { target, field: pointer }
  }
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

/** What a graph holds. */
export interface Known {
  has(memoryId: MemoryId): boolean
  hasField(memoryId: MemoryId, field: string): boolean
}

/** Refuses links to memories that the graph does not hold; `path` is where their event stands in the request. */
export function refuseUnknownMemories(links: readonly Link[], path: string, known: Known): void {
  const paths = linkPaths(links)
  const errors = links.flatMap(({ target, field }, i) => {
    if (!isMemoryId(target)) return []
    const at = path + (paths[i]?.path ?? '')
    if (!known.has(target)) return [{ path: at, message: `The graph has no memory ${target}.` }]
    if (field === undefined || known.hasField(target, field)) return []
    return [{ path: at, message: `The memory ${target} has no field ${quote(field)}.` }]
  })
  if (links.some(({ target }) => isMemoryId(target) && !known.has(target)))
    throw new Failure('unknown_memory', 'A link names a memory that the graph does not hold.', { errors })
  if (errors.length > 0)
    throw new Failure('invalid_event', 'A link names a field that the memory does not have.', { errors })
}

/** Do two links name the same claim? Two fields of a memory are two claims. */
function overlap(a: Link, b: Link): boolean {
  return a.target === b.target && (a.field === undefined || b.field === undefined || a.field === b.field)
}

/** Refuses an event that names one memory as reinforced and contradicted; `path` is the event's place in the request. */
export function refuseBothWays(links: readonly Link[], path: string): void {
  const reinforced = links.filter(({ kind }) => kind === 'reinforcement')
  const paths = linkPaths(links)
  const errors = links.flatMap((link, i) => {
    const { kind, target } = link
    if (kind !== 'contradiction' || !isMemoryId(target) || !reinforced.some((one) => overlap(one, link)))
      return []
    return [{ path: path + (paths[i]?.path ?? ''), message: `The event reinforces ${target} as well.` }]
  })
  if (errors.length > 0)
    throw new Failure('invalid_event', 'An event reinforces and contradicts the same memory.', { errors })
}
