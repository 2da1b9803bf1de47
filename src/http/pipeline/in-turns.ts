import { nextTurn } from '../../loop/next-turn.js'
import { inSlices } from '../../loop/yielding.js'

/** Runs a generator to its end and returns its result, giving way to other work every few milliseconds. */
export async function inTurns<T>(work: Iterator<void, T>): Promise<T> {
  const value = await inSlices(work)
  // The following work starts in a turn of its own.
  await nextTurn()
  return value
}
