import type { ClaimId } from '../fields.js'
import { type Lines, type Node, type Replacing, untilOf } from './lines.js'

/** A time in the world, by the statements up to a place. */
export interface Moment {
  readonly place: number
  readonly at: string
}

/** The spells that replace a spell, as known at a place. */
export function replacing({ replacedBy }: Node, { place }: Pick<Moment, 'place'>): readonly Replacing[] {
  if (place === Number.POSITIVE_INFINITY) return replacedBy
  return replacedBy.filter((one) => one.place <= place && one.node.place <= place)
}

export function isWrong({ wrong }: Node, { place }: Moment): boolean {
  return wrong !== undefined && wrong <= place
}

export function hasBegun(node: Node, moment: Moment): boolean {
  return node.from <= moment.at && !isWrong(node, moment)
}

export function isActive(node: Node, moment: Moment): boolean {
  if (!hasBegun(node, moment)) return false
  const until = untilOf(node, moment.place)
  return until === undefined || until > moment.at
}

/** Does a spell hold right before a time? */
export function isActiveBefore(node: Node, at: string, moment: Moment): boolean {
  const until = untilOf(node, moment.place)
  return !isWrong(node, moment) && node.from < at && (until === undefined || until >= at)
}

/** A spell that holds and replaces `node`, directly or through other spells. */
export function heldBy(node: Node, moment: Moment): Node | undefined {
  return reached(node, moment, (other) => isActive(other, moment)).next().value?.node
}

/** The spells that replace `node`, directly or through others: on each path the first for which `isWanted` holds. */
export function* reached(
  node: Node,
  moment: Moment,
  isWanted: (node: Node) => boolean,
): Generator<Replacing, undefined> {
  const seen = new Set([node])
  const queue = [...replacing(node, moment)]
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    if (seen.has(next.node)) continue
    seen.add(next.node)
    if (isWanted(next.node)) yield next
    else if (hasBegun(next.node, moment) || isWrong(next.node, moment)) {
      // A spell that corrects another one replaces that one alone.
      const { wrong = Number.POSITIVE_INFINITY } = next.node
      queue.push(...replacing(next.node, moment).filter(({ place }) => place < wrong))
    }
  }
}

/** A time during which a claim stands. */
export interface Standing {
  readonly from: string
  /** Absent if no end is known. */
  readonly to?: string
  /** The claim that replaced it then; absent if it ended by itself. */
  readonly by?: ClaimId
}

/** Considers no more spells of a line than this. */
const MAX_SPELLS = 1000

/** When a claim of a line stands, by the statements up to a place, in the order of valid time. */
export function standingsOf(claim: ClaimId, lines: Lines, place: number): Standing[] {
  const nodes = lines.of(claim).filter((node) => node.place <= place)
  const standings: Standing[] = []
  let open: { from: string; node: Node } | undefined
  for (const at of turnsOf(nodes, place)) {
    const moment = { place, at }
    const node = nodes.find((one) => isActive(one, moment) && heldBy(one, moment) === undefined)
    // The last spell of those that adjoin is the one that something else may replace.
    if (node !== undefined) open = { from: open?.from ?? at, node }
    else if (open !== undefined) {
      standings.push(closed(open, moment))
      open = undefined
    }
  }
  if (open !== undefined) standings.push({ from: open.from })
  return standings
}

function closed({ from, node }: { from: string; node: Node }, moment: Moment): Standing {
  const by = heldBy(node, moment)?.claim
  return { from, to: moment.at, ...(by !== undefined && { by }) }
}

/** The moments at which a spell of the line begins or ends. */
function turnsOf(nodes: readonly Node[], place: number): string[] {
  const seen = new Set(nodes)
  const turns = new Set<string>()
  for (const node of seen) {
    turns.add(node.from)
    const until = untilOf(node, place)
    if (until !== undefined) turns.add(until)
    if (seen.size < MAX_SPELLS) for (const { node: by } of node.replacedBy) seen.add(by)
  }
  return [...turns].sort()
}
