import { nextTurn } from './next-turn.js'

const SLICE_MS = 4

/** Returns a promise that resolves when work may go on; undefined if it may go on at once. */
export type Turn = () => Promise<void> | undefined

/** Divides long work into slices: call what it returns in a loop and await the result, which yields to the event loop when a slice is over. */
export function createYielding(turn: Turn = nextTurn): Turn {
  let start = performance.now()
  const begin = () => {
    start = performance.now()
  }
  return () => {
    if (performance.now() - start < SLICE_MS) return undefined
    const waiting = turn()
    if (waiting === undefined) begin()
    return waiting?.then(begin)
  }
}

/** Runs a generator in slices, yielding to the event loop in between, and resolves to its return value. */
export async function inSlices<T>(work: Iterator<void, T>, yielding: Turn = createYielding()): Promise<T> {
  for (;;) {
    const { done, value } = work.next()
    if (done === true) return value
    const turn = yielding()
    if (turn !== undefined) await turn
  }
}
