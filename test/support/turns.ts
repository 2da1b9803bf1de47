import { existsSync } from 'node:fs'
import { FirstLine } from './first-line.js'
import { STAT, TAKEN, UNIT_MS } from './taken.js'

/** Where Linux says how long the thread that opens it has been running, in nanoseconds. */
const RUNNING = '/proc/thread-self/schedstat'

/**
 * How long the event loop of this thread is held at most while `work` is under way, in milliseconds of processor time, so
 * that a loaded machine counts for nothing; where the system does not tell, by the clock.
 */
export async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  const running = existsSync(RUNNING) ? new FirstLine(RUNNING) : undefined
  const taken = existsSync(STAT) ? new FirstLine(STAT) : undefined
  const now = () => {
    if (running === undefined) return performance.now()
    // The time of a thread goes on while the machine stands still.
    const [nanoseconds = 0] = running.numbers()
    return nanoseconds / 1e6 - (taken?.numbers()[TAKEN] ?? 0) * UNIT_MS
  }
  let longest = 0
  let last = now()
  const look = () => {
    const time = now()
    longest = Math.max(longest, time - last)
    last = time
  }
  const looking = setInterval(look, 1)
  try {
    await work()
    look()
  } finally {
    clearInterval(looking)
    running?.close()
    taken?.close()
  }
  return longest
}
