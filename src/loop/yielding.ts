import { nextTurn } from './next-turn.js'

const SLICE_MS = 4

/** Long work in slices: await the result now and then, and others get their turn when a slice is over. */
export function createYielding(now: () => number = () => performance.now()): () => Promise<void> | undefined {
  let start = now()
  return () => {
    if (now() - start < SLICE_MS) return undefined
    return nextTurn().then(() => {
      start = now()
    })
  }
}

/** Does work of many small steps, others having their turn in between, and gives what it returns. */
export async function inSlices<T>(work: Iterator<void, T>): Promise<T> {
  const yielding = createYielding()
  for (;;) {
    const { done, value } = work.next()
    if (done === true) return value
    const turn = yielding()
    if (turn !== undefined) await turn
  }
}
