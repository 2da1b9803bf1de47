import type { ClaimId } from '../fields.js'
import { heldBy, isActive, type Moment } from './law.js'
import { type Lines, type Node, untilOf } from './lines.js'

/** A time during which a claim is what stands. */
export interface Standing {
  readonly from: string
  /** Absent while nothing that is known ends it. */
  readonly to?: string
  /** What took its place then; absent where it just ended. */
  readonly by?: ClaimId
}

/** Of how many spells the turns are looked at. */
const MOST_SPELLS = 1000

/** When a claim that has to do with others is what stands, by what had been recorded, in the order of the world. */
export function standingsOf(claim: ClaimId, lines: Lines, place: number): Standing[] {
  const nodes = lines.of(claim).filter((node) => node.place <= place)
  const standings: Standing[] = []
  let open: { from: string; node: Node } | undefined
  for (const at of turnsOf(nodes, place)) {
    const moment = { place, at }
    const node = nodes.find((one) => isActive(one, moment) && heldBy(one, moment) === undefined)
    if (node !== undefined) open ??= { from: at, node }
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

/** The moments at which something of a line begins or ends. */
function turnsOf(nodes: readonly Node[], place: number): string[] {
  const seen = new Set(nodes)
  const turns = new Set<string>()
  for (const node of seen) {
    turns.add(node.from)
    const until = untilOf(node, place)
    if (until !== undefined) turns.add(until)
    if (seen.size < MOST_SPELLS) for (const { node: by } of node.replacedBy) seen.add(by)
  }
  return [...turns].sort()
}
