import type { IncomingMessage } from 'node:http'
import type { Slot } from '../pipeline/exchange.js'
import { HttpFailure } from '../problems/problems.js'

const MAX_SILENCE_MS = 30_000

/** Yields the body chunk by chunk, no faster than it is read. Only the wait for each chunk has a deadline, not the whole body. */
export async function* streamOf(
  req: IncomingMessage,
  limit: number,
  tooLarge: () => HttpFailure,
  slot?: Slot,
  silenceMs = MAX_SILENCE_MS,
): AsyncGenerator<Uint8Array> {
  withoutDeadline.add(req)
  const { timeout = 0 } = req.socket
  req.socket.setTimeout(0)
  // The response is still to be sent, so the socket stays open when the rest is not read.
  const pieces: AsyncIterator<Uint8Array> = req.iterator({ destroyOnReturn: false })[Symbol.asyncIterator]()
  let size = 0
  try {
    for (;;) {
      slot?.pause()
      const { done, value } = await withTimeout(pieces.next(), silenceMs).finally(() => slot?.resume())
      if (done === true) return
      size += value.length
      if (size > limit) throw tooLarge()
      yield value
    }
  } finally {
    // Not awaited: `return` waits for a pending `next`, which may never settle.
    void pieces.return?.().catch(() => {})
    req.socket.setTimeout(timeout)
  }
}

async function withTimeout<T>(next: Promise<T>, ms: number): Promise<T> {
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

/** Bodies that `streamOf` reads, which have a deadline for each chunk and none for the whole. */
const withoutDeadline = new WeakSet<IncomingMessage>()

/** Whether a body is incomplete and subject to the deadline of a whole request. */
export function isLate(req: IncomingMessage): boolean {
  return !req.complete && !withoutDeadline.has(req)
}
