import { byCodeUnit } from '../../domain/names.js'
import { bestOf } from '../../domain/survey/best-of.js'
import {
  type ContextLink,
  LinkBudget,
  linkOrder,
  MAX_LINKS_GIVEN,
  MAX_LINKS_OF_CONTEXT,
  type Neighbourhood,
  type NeighbourhoodLimits,
} from '../../domain/survey/neighbourhood.js'
import type { ContextRow, RelationRow } from '../rows.js'

/** The contexts around a context (see `Survey.neighbourhood`); `size` is the number of contexts in the graph. */
export function neighbourhoodOf(
  root: ContextRow,
  size: number,
  { depth, limit }: NeighbourhoodLimits,
): Neighbourhood {
  const budget = new LinkBudget()
  const given = [{ row: root, distance: 0 }]
  const explored: ContextRow[] = []
  /** By the number of a context: its index in `given` plus 1, or 0. */
  const ranks = new Uint16Array(size)
  ranks[root.number] = 1
  let leftOut = 0
  let edge = [root]
  const explore = () => {
    const open = edge.filter(({ outgoing, incoming }) => budget.tryVisit(outgoing.size, incoming.size))
    for (const row of open) explored.push(row)
    return open
  }
  for (let distance = 1; distance <= depth && edge.length > 0 && leftOut === 0; distance++) {
    const { reached, compare } = reachedFrom(explore(), ranks)
    edge = bestOf(reached, limit - given.length, compare)
    for (const row of edge) ranks[row.number] = given.push({ row, distance })
    leftOut += reached.length - edge.length
  }
  explore()
  const links = linksAmong(explored, ranks)
  return {
    contexts: given.map(({ row: { id, type, name, memories }, distance }) => ({
      contextId: id,
      contextType: type,
      contextName: name,
      memoryCount: memories.length,
      distance,
    })),
    links: links.slice(0, MAX_LINKS_GIVEN).map(toLink),
    leftOut: {
      contexts: leftOut,
      links: Math.max(0, links.length - MAX_LINKS_GIVEN),
      unexplored: budget.unexplored,
    },
  }
}

/** The contexts linked to these that are not in `ranks` yet, and how to sort them. */
function reachedFrom(contexts: readonly ContextRow[], ranks: Uint16Array) {
  /** By the number of a context: the total weight of its links with `contexts`. */
  const near = new Float64Array(ranks.length)
  const reached: ContextRow[] = []
  const note = (other: ContextRow, weight: number) => {
    if (ranks[other.number] !== 0) return
    const before = near[other.number] ?? 0
    if (before === 0) reached.push(other)
    near[other.number] = before + weight
  }
  for (const { outgoing, incoming } of contexts) {
    eachLatest(outgoing, (link) => note(link.to, weightOf(link)))
    eachLatest(incoming, (link) => note(link.from, weightOf(link)))
  }
  const compare = (a: ContextRow, b: ContextRow) =>
    (near[b.number] ?? 0) - (near[a.number] ?? 0) ||
    b.memories.length - a.memories.length ||
    byCodeUnit(a.id, b.id)
  return { reached, compare }
}

/** The links between ranked contexts that at least one explored context lists, in order. */
function linksAmong(explored: readonly ContextRow[], ranks: Uint16Array): RelationRow[] {
  const found = new Map<number, RelationRow>()
  const rankOf = (row: ContextRow) => (ranks[row.number] ?? 0) - 1
  const note = (link: RelationRow) => {
    const [from, to] = [rankOf(link.from), rankOf(link.to)]
    if (from >= 0 && to >= 0) found.set(linkOrder(from, to, link.kind), link)
  }
  for (const { outgoing, incoming } of explored) {
    eachLatest(outgoing, note)
    eachLatest(incoming, note)
  }
  return Array.from(Float64Array.from(found.keys()).sort(), (order) => found.get(order) ?? []).flat()
}

/** Visits the latest relations: a map keeps the order in which they were added. */
function eachLatest(relations: ReadonlyMap<string, RelationRow>, note: (link: RelationRow) => void): void {
  let before = relations.size - MAX_LINKS_OF_CONTEXT
  for (const relation of relations.values()) if (before-- <= 0) note(relation)
}

function weightOf({ statements }: RelationRow): number {
  return statements.at(-1)?.weight ?? 0
}

function toLink(link: RelationRow): ContextLink {
  const [first, last] = [link.statements[0], link.statements.at(-1)]
  return {
    from: link.from.id,
    to: link.to.id,
    kind: link.kind,
    weight: weightOf(link),
    firstSeen: first?.at ?? '',
    lastSeen: last?.at ?? '',
  }
}
