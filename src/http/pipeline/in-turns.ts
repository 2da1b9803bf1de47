import { nextTurn } from '../../loop/next-turn.js'
import { inSlices } from '../../loop/yielding.js'

/** Does long work of small steps, others having their turn every few milliseconds, and gives what it returns. */
export async function inTurns<T>(work: Iterator<void, T>): Promise<T> {
  const value = await inSlices(work)
  // What comes next has a turn of its own.
  await nextTurn()
  return value
}
