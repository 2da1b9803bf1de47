import type { ContextId, MemoryId } from '../../model.js'
import type { Recorded } from '../claims/types.js'
import { memoryOf } from '../fields.js'

type Node = MemoryId | ContextId

/**
 * The claims to reckon again when some are erased: the erased, and all claims that events connect with them, directly or
 * through others. `contexts` are those of the erased. Works in small steps.
 */
export function* connectedWith(
  erased: Iterable<MemoryId>,
  contexts: Iterable<ContextId>,
  events: Iterable<Recorded>,
): Generator<void, Set<MemoryId>> {
  const parents = new Map<Node, Node>()
  const claims = new Set<MemoryId>()
  for (const event of events) {
    claims.add(event.claim)
    for (const other of joinedBy(event)) parents.set(rootOf(other, parents), rootOf(event.claim, parents))
    yield
  }
  const roots = new Set([...erased, ...contexts].map((node) => rootOf(node, parents)))
  return new Set([...claims].filter((id) => roots.has(rootOf(id, parents))))
}

/** The memories that an event connects with its claim, and the contexts that it extends as a whole. */
export function joinedBy({ decisions }: Recorded): Set<Node> {
  const { bears, opposes, wholes, unresolved } = decisions
  const offered = unresolved.flatMap(({ candidates }) => candidates)
  const claims = [...bears.flat(), ...offered, ...opposes.flatMap(({ by, against }) => [by, against])]
  return new Set([...claims.map(memoryOf), ...wholes])
}

/** The root of a union-find tree; halves the path on the way, so that a long one is walked once. */
function rootOf(node: Node, parents: Map<Node, Node>): Node {
  let at = node
  for (let up = parents.get(at); up !== undefined; up = parents.get(at)) {
    const further = parents.get(up)
    if (up === at || further === undefined) return up
    parents.set(at, further)
    at = further
  }
  return at
}
