import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from '../../domain/failure.js'
import { Behind } from '../graph-log.js'
import { OutcomeUnknown } from './errors.js'

interface Attempts<T> {
  /** Makes the change; made twice, the second attempt rejects with `Behind`. */
  readonly change: () => Promise<T>
  /** Looks, with the graph locked, whether it was made. */
  readonly find: () => Promise<T | undefined>
  /** The first attempt, if it is made in another way. */
  readonly first?: (() => Promise<T>) | undefined
}

const FIRST_PAUSE_MS = 20
const MAX_PAUSE_MS = 500

/**
 * Makes a change until it is known to have been made, or not. A connection that was lost leaves it unknown, also after a look
 * at the graph: the database may have the statement still before it. So the change is made again, which its head and its
 * id allow only once. Rejects with `OutcomeUnknown` when the database cannot be reached for `patience` milliseconds.
 */
export async function certainly<T>(
  patience: number,
  { change, find, first = change }: Attempts<T>,
): Promise<T> {
  try {
    return await first()
  } catch (error) {
    if (!(error instanceof OutcomeUnknown)) throw error
    return again(patience, { change, find }, error)
  }
}

async function again<T>(
  patience: number,
  { change, find }: Attempts<T>,
  unknown: OutcomeUnknown,
): Promise<T> {
  const until = performance.now() + patience
  let behind: unknown
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, MAX_PAUSE_MS)) {
    try {
      const found = await find()
      if (found !== undefined) return found
      if (behind !== undefined) throw behind
      return await change()
    } catch (error) {
      const isFirst = error !== behind
      // Perhaps behind itself: the first attempt was made meanwhile.
      if (error instanceof Behind && isFirst) behind = error
      else if (!isPassing(error)) throw error
      else if (performance.now() > until) throw unknown
      else await sleep(pause)
    }
  }
}

function isPassing(error: unknown): boolean {
  return error instanceof Failure && error.code === 'storage_unavailable'
}
