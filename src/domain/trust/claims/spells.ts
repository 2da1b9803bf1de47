import type { ClaimId } from '../fields.js'
import { heldBy, isActive, type Moment } from './law.js'
import { type Lines, type Node, untilOf } from './lines.js'

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
