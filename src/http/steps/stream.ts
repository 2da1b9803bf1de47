import type { IncomingMessage } from 'node:http'
import type { Place } from '../pipeline/exchange.js'
import { HttpFailure } from '../problems/problems.js'

const LONGEST_SILENCE_MS = 30_000

/**
 * A body a piece at a time, no faster than it is asked for. It may take as long as it needs, as long as something comes;
 * only the time in which a piece is awaited counts.
 */
export async function* streamOf(
  req: IncomingMessage,
  limit: number,
  tooLarge: () => HttpFailure,
  place?: Place,
  silenceMs = LONGEST_SILENCE_MS,
): AsyncGenerator<Uint8Array> {
  liftDeadline(req)
  const { timeout = 0 } = req.socket
  req.socket.setTimeout(0)
  // An answer is still to be sent when the rest is not wanted, so that the connection must stay.
  const pieces: AsyncIterator<Uint8Array> = req.iterator({ destroyOnReturn: false })[Symbol.asyncIterator]()
  let size = 0
  try {
    for (;;) {
      place?.pause()
      const { done, value } = await soon(pieces.next(), silenceMs).finally(() => place?.resume())
      if (done === true) return
      size += value.length
      if (size > limit) throw tooLarge()
      yield value
    }
  } finally {
    // Not awaited: a piece that was asked for and never came would never let go.
    void pieces.return?.().catch(() => {})
    req.socket.setTimeout(timeout)
  }
}

async function soon<T>(next: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new HttpFailure('request_timeout', `Nothing came for ${ms / 1000} seconds.`)),
      ms,
    )
  })
  try {
    return await Promise.race([next.catch(lost), silence])
  } finally {
    clearTimeout(timer)
  }
}

function lost(): never {
  throw new HttpFailure('request_timeout', 'The connection ended before the body did.')
}

const unhurried = new WeakSet<IncomingMessage>()

/** Exempts a body from the deadline for a whole request; `streamOf` has one for each piece. */
function liftDeadline(req: IncomingMessage): void {
  unhurried.add(req)
}

/** Whether a body should have arrived by now and has not. */
export function isLate(req: IncomingMessage): boolean {
  return !req.complete && !unhurried.has(req)
}
