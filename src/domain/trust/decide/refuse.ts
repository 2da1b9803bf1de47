import { Failure } from '../../failure.js'
import { isMemoryId } from '../../ids.js'
import { linkPaths } from '../../links.js'
import type { Link } from '../../model.js'

/** Refuses an event that names one memory as reinforced and contradicted; `path` is where it stands in the request. */
export function refuseBothWays(links: readonly Link[], path: string): void {
  const reinforced = new Set<string>()
  for (const { kind, target } of links) if (kind === 'reinforcement') reinforced.add(target)
  const paths = linkPaths(links)
  const errors = links.flatMap(({ kind, target }, i) => {
    if (kind !== 'contradiction' || !isMemoryId(target) || !reinforced.has(target)) return []
    return [{ path: path + (paths[i]?.path ?? ''), message: `The event reinforces ${target} as well.` }]
  })
  if (errors.length > 0)
    throw new Failure('invalid_event', 'An event reinforces and contradicts the same memory.', { errors })
}
