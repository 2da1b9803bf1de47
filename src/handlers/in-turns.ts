import { nextTurn } from '../loop/next-turn.js'

/** Events are at most 64 KiB long, so that checking so many takes a few milliseconds. */
const SOME = 16

/** Gives every item to `work`, in order, others having their turn in between. */
export async function inTurns<T>(items: Iterable<T>, work: (item: T, index: number) => void): Promise<void> {
  let index = 0
  for (const item of items) {
    work(item, index++)
    if (index % SOME === 0) await nextTurn()
  }
}
