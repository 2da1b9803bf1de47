import type { ServerResponse } from 'node:http'
import type { Request } from 'express'
import { EVENTS } from '../../contract/contract.js'
import type { Answer, Headers, Parsed } from '../pipeline/exchange.js'
import type { InTurn } from './in-turn.js'
import { begin } from './send.js'

/** A key that is revoked hears nothing more after this time. */
const HOLDS_MS = 1_000

/**
 * Sends events as they come, for as long as there are any, the caller stays and the secret holds: no faster than the
 * caller reads, one piece at a time, and never compressed, since a piece must not wait for the next. It takes no place of
 * others, since it waits nearly all the time.
 */
export async function respondEvents(
  req: Request,
  res: Answer<Parsed>,
  status: number,
  headers: Headers,
  body: AsyncIterable<string>,
  inTurn: InTurn,
): Promise<void> {
  const events = body[Symbol.asyncIterator]()
  const stop = () => {
    // What it ends in is told to the one who waits for the next piece.
    events.return?.().catch(() => undefined)
  }
  headers['Content-Type'] = `${EVENTS}; charset=utf-8`
  begin(res, status, headers)
  if (req.method === 'HEAD') {
    stop()
    res.end()
    return
  }
  res.flushHeaders()
  res.locals.slot?.pause()
  res.once('close', stop)
  endable(res, stop)
  const { stillHolds } = res.locals
  let heldAt = performance.now()
  for (let next = await events.next(); next.done !== true && !res.destroyed; next = await events.next()) {
    if (performance.now() - heldAt > HOLDS_MS) {
      const isOver = await stillHolds().then(
        () => false,
        (error: unknown) => {
          res.locals.error = error
          return true
        },
      )
      if (isOver) break
      heldAt = performance.now()
    }
    if (!res.write(next.value)) await drained(res)
    // What there is to catch up with would otherwise be sent at one go.
    await inTurn(async () => undefined)
  }
  stop()
  res.end()
}

const stops = new WeakMap<ServerResponse, () => void>()

/** An answer that goes on for ever, and what ends it. */
export function endable(res: ServerResponse, stop: () => void): void {
  stops.set(res, stop)
}

/** Ends an answer that would go on for ever, after what it is just sending. */
export function endEvents(res: ServerResponse): void {
  stops.get(res)?.()
}

/** Resolves when the caller has read enough for more to be written, or is gone. */
export function drained(res: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    if (res.destroyed) return resolve()
    const done = () => {
      res.off('drain', done).off('close', done)
      resolve()
    }
    res.on('drain', done).on('close', done)
  })
}
