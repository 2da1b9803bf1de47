import { nextTurn } from '../loop/next-turn.js'

/** Checking this many events of at most 64 KiB takes a few milliseconds. */
const BATCH_SIZE = 16

/** Calls `work` with every item, in order, and gives way to other requests in between. */
export async function inTurns<T>(items: Iterable<T>, work: (item: T, index: number) => void): Promise<void> {
  let index = 0
  for (const item of items) {
    work(item, index++)
    if (index % BATCH_SIZE === 0) await nextTurn()
  }
}
