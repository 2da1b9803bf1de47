import { closeSync, existsSync, openSync, readSync } from 'node:fs'

/** Where Linux says how long the thread that opens it has been running, in nanoseconds. */
const RUNNING = '/proc/thread-self/schedstat'

/**
 * How long the event loop of this thread is held at most while `work` is under way, in milliseconds of processor time, so
 * that a loaded machine counts for nothing; where the system does not tell, by the clock.
 */
export async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  const file = existsSync(RUNNING) ? openSync(RUNNING, 'r') : undefined
  const buffer = Buffer.alloc(64)
  const now = () => {
    if (file === undefined) return performance.now()
    const length = readSync(file, buffer, 0, buffer.length, 0)
    return Number(buffer.toString('latin1', 0, length).split(' ', 1)[0]) / 1e6
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
    if (file !== undefined) closeSync(file)
  }
  return longest
}
