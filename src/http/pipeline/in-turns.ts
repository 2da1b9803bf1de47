import { setImmediate as turn } from 'node:timers/promises'

const SLICE_MS = 8

/** Does long work of small steps, others having their turn every few milliseconds, and gives what it returns. */
export async function inTurns<T>(work: Iterator<void, T>): Promise<T> {
  let start = performance.now()
  for (;;) {
    const { done, value } = work.next()
    if (done === true) {
      // What comes next has a turn of its own.
      await turn()
      return value
    }
    if (performance.now() - start < SLICE_MS) continue
    await turn()
    start = performance.now()
  }
}
