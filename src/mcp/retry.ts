import { setTimeout as sleep } from 'node:timers/promises'
import type { Fetch } from './exchange.js'

const LONGEST_WAIT_S = 5

/** Asks once more what a busy service put off. What is put off was not done, and each record has a key that makes it one. */
export function retrying(fetch: Fetch): Fetch {
  return async (request) => {
    const again = request.clone()
    const first = await fetch(request)
    const seconds = Number(first.headers.get('retry-after') ?? Number.NaN)
    if (first.status !== 503 || !(seconds <= LONGEST_WAIT_S)) return first
    await first.body?.cancel()
    await sleep(seconds * 1_000, undefined, { signal: request.signal })
    return fetch(again)
  }
}
