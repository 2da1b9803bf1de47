import { isMemoryId } from '../../ids.js'
import type { ContextId, LinkKind, MemoryId } from '../../model.js'
import type { Statement } from '../claims/types.js'

/** An event with its links sorted by what they do. */
export interface Event {
  readonly statement: Statement
  readonly contradicted: ReadonlySet<MemoryId>
  /** Without its own claim. */
  readonly reinforced: ReadonlySet<MemoryId>
  readonly extended: ReadonlySet<MemoryId>
  /** Its own claim and those that it reinforces: it changes nothing between these. */
  readonly stated: ReadonlySet<MemoryId>
  /** The memories that it names by id in a link that does not contradict. */
  readonly named: ReadonlySet<MemoryId>
}

export function eventOf(statement: Statement, bears: readonly (readonly MemoryId[])[]): Event {
  const { claim, links } = statement
  const borne = (kind: LinkKind) =>
    new Set(links.flatMap((link, i) => (link.kind === kind ? (bears[i] ?? []) : [])))
  const reinforced = borne('reinforcement')
  const extended = borne('extension')
  reinforced.delete(claim)
  extended.delete(claim)
  const stated = new Set([claim, ...reinforced])
  const contradicted = new Set([...borne('contradiction')].filter((id) => !stated.has(id)))
  const named = links.filter(({ kind, target }) => kind !== 'contradiction' && isMemoryId(target))
  return {
    statement,
    contradicted,
    reinforced,
    extended,
    stated,
    named: new Set(named.map(({ target }) => target)),
  }
}

/** The contexts that links of this kind name and that bore on none. */
export function boreOnNone(
  { links }: Statement,
  bears: readonly (readonly MemoryId[])[],
  wanted: LinkKind,
): ContextId[] {
  const whole = links.filter(
    ({ kind, target }, i) => kind === wanted && !isMemoryId(target) && bears[i]?.length === 0,
  )
  return [...new Set(whole.map(({ target }) => target))]
}
