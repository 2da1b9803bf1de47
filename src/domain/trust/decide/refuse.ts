import { Failure } from '../../failure.js'
import { isMemoryId } from '../../ids.js'
import { linkPaths } from '../../links.js'
import type { Link } from '../../model.js'

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
