import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from '../../domain/failure.js'
import { Behind } from '../graph-log.js'
import { OutcomeUnknown } from './errors.js'

export interface Attempts<T> {
  /** Makes the change. If it was made already, rejects with `Behind`. */
  readonly change: () => Promise<T>
  /** Locks the graph, and returns the result of the change if it was made. */
  readonly find: () => Promise<T | undefined>
  /** Used for the first attempt instead of `change`. */
  readonly first?: (() => Promise<T>) | undefined
}

const FIRST_PAUSE_MS = 20
const MAX_PAUSE_MS = 500

/**
 * Makes a change, and repeats it until its outcome is known. After a lost connection the outcome is unknown, even if the change
 * is not found: the database may still execute the statement. Repeating is safe, since the change compares the head. Rejects
 * with `OutcomeUnknown` if the database cannot be reached for `timeoutMs`.
 */
export async function untilKnown<T>(
  timeoutMs: number,
  { change, find, first = change }: Attempts<T>,
): Promise<T> {
  let unknown: OutcomeUnknown
  try {
    return await first()
  } catch (error) {
    if (!(error instanceof OutcomeUnknown)) throw error
    unknown = error
  }
  const until = performance.now() + timeoutMs
  let behind: Behind | undefined
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, MAX_PAUSE_MS)) {
    try {
      const found = await find()
      if (found !== undefined) return found
      if (behind !== undefined) break
      return await change()
    } catch (error) {
      // The first attempt may have succeeded meanwhile, so `find` runs once more.
      if (error instanceof Behind) behind = error
      else if (!(error instanceof Failure && error.code === 'storage_unavailable')) throw error
      else if (performance.now() > until) throw unknown
      else await sleep(pause)
    }
  }
  throw behind
}
