import { nextTurn } from './next-turn.js'

const SLICE_MS = 4

/** When work may go on: resolves when it is its turn; undefined when that is at once. */
export type Turn = () => Promise<void> | undefined

/** Long work in slices: await the result now and then, and others get their turn when a slice is over. */
export function createYielding(turn: Turn = nextTurn): Turn {
  let start = performance.now()
  const begin = () => {
    start = performance.now()
  }
  return () => {
    if (performance.now() - start < SLICE_MS) return undefined
    const waits = turn()
    if (waits === undefined) begin()
    return waits?.then(begin)
  }
}

/** Does work of many small steps, others having their turn in between, and gives what it returns. */
export async function inSlices<T>(work: Iterator<void, T>, yielding: Turn = createYielding()): Promise<T> {
  for (;;) {
    const { done, value } = work.next()
    if (done === true) return value
    const turn = yielding()
    if (turn !== undefined) await turn
  }
}
