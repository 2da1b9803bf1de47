import type { ContextId, MemoryId } from '../../model.js'
import { Changes } from '../claims/changes.js'
import type { Judgement } from '../claims/claims.js'
import type { Lost, Opposition, Recorded, Unresolved } from '../claims/types.js'
import { apply } from '../decide/apply.js'
import { decide } from '../decide/decide.js'
import { type ClaimId, memoryOf } from '../fields.js'
import { inherited } from './inheritance.js'
import { lostWith, type Past } from './losses.js'

/**
 * Decides anew as if the erased memories had never been recorded, except that oppositions are inherited and stale claims stay
 * stale. `events` are all events of the claims that `connectedWith` names, in order, the erased ones included. Returns the
 * events that remain, with their new links and decisions. Works in small steps, so that a store can serve others meanwhile.
 */
export function* decideWithout(
  erased: ReadonlySet<MemoryId>,
  events: readonly Recorded[],
  past: Past,
  judgement: Judgement,
): Generator<void, Recorded[]> {
  const opposes = yield* inherited(events, erased, judgement)
  const lost = yield* lostWith(erased, new Set(events.map(({ claim }) => claim)), past)
  const lastOf = new Map(events.map((event) => [event.claim, event]))
  const changes = new Changes(NO_CLAIMS)
  const remaining: Recorded[] = []
  for (const event of events) {
    yield
    if (erased.has(event.claim)) continue
    const more = lastOf.get(event.claim) === event ? (lost.get(event.claim) ?? []) : []
    const kept = without(erased, event, opposes.get(event) ?? [], more)
    const decisions = decide(kept, changes, judgement, kept.decisions)
    apply(kept, decisions, changes)
    remaining.push({ ...kept, decisions })
  }
  return remaining
}

/** The unresolved links that remain, with their new indexes and candidates. */
export function unresolvedWithout(
  erased: ReadonlySet<MemoryId>,
  { links, decisions }: Pick<Recorded, 'links' | 'decisions'>,
): Unresolved[] {
  const kept = links.map(({ target }) => !erased.has(target))
  return decisions.unresolved
    .filter(({ link }) => kept[link])
    .map(({ link, candidates }) => ({
      link: kept.slice(0, link).filter(Boolean).length,
      candidates: candidates.filter((id) => !erased.has(memoryOf(id))),
    }))
}

function without(
  erased: ReadonlySet<MemoryId>,
  event: Recorded,
  opposes: readonly Opposition[],
  lost: readonly Lost[],
): Recorded {
  const { links, decisions } = event
  const isKept = (_: unknown, i: number) => !erased.has(links[i]?.target ?? '')
  return {
    ...event,
    links: links.filter(isKept),
    decisions: {
      ...decisions,
      bears: decisions.bears.filter(isKept).map((ids) => ids.filter((id) => !erased.has(memoryOf(id)))),
      unresolved: unresolvedWithout(erased, event),
      opposes,
      lost: [...decisions.lost, ...lost],
    },
  }
}

const NO_CLAIMS = {
  get: () => undefined,
  parts: () => [],
  opponents: () => [],
  supersedes: () => new Set<ClaimId>(),
  standing: () => [],
}

type Node = MemoryId | ContextId

/**
 * The claims to decide again when some are erased: the erased, and all claims that events connect with them, directly or
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
