import type { Memory } from '../../model.js'

/** Was one recorded to reinforce the other, or the context it is in? */
export function agrees({ links }: Memory, { contextId, memoryId }: Memory): boolean {
  return links.some(
    ({ kind, target }) => kind === 'reinforcement' && (target === contextId || target === memoryId),
  )
}
