import { countUpTo } from '../../../domain/trust/history.js'

/** How far a graph had been recorded: what comes later is not seen. */
export interface Moment {
  readonly place: number
  /** How many memories the graph held. */
  readonly memories: number
}

/** Later than every place. */
export const NOW = Number.POSITIVE_INFINITY

interface Placed {
  readonly place: number
}

export function isThere({ place }: Placed, moment: Moment): boolean {
  return place <= moment.place
}

/** How many items of a list in order of recording were there. */
export function countThen(list: readonly Placed[], { place }: Moment): number {
  return place === NOW ? list.length : countUpTo(list, place)
}

/** Those items of a list in order of recording that were there. */
export function listThen<T extends Placed>(list: readonly T[], moment: Moment): readonly T[] {
  return moment.place === NOW ? list : list.slice(0, countUpTo(list, moment.place))
}
