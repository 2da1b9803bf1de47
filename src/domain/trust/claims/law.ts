import { type Node, type Replacing, untilOf } from './lines.js'

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
