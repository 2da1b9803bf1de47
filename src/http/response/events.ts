import type { ServerResponse } from 'node:http'
import type { Request } from 'express'
import { EVENTS } from '../../contract/contract.js'
import type { Answer, Headers, Parsed } from '../pipeline/exchange.js'
import { begin } from './send.js'

/** How often the secret is checked again: a feed ends this soon after its key is revoked. */
const RECHECK_MS = 1_000

/**
 * Sends server-sent events until the feed ends, the client disconnects or the secret is no longer valid.
 * Events are sent no faster than the client reads, and never compressed, since a compressor would hold back
 * an event until the next. The answer uses no request slot, since it waits nearly all the time.
 */
export async function respondEvents(
  req: Request,
  res: Answer<Parsed>,
  status: number,
  headers: Headers,
  body: AsyncIterable<string>,
  schedule: Schedule,
): Promise<void> {
  const events = body[Symbol.asyncIterator]()
  const stop = () => {
    // An error also rejects the pending `events.next()`.
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
  onShutdown(res, stop)
  const { stillHolds } = res.locals
  let checkedAt = performance.now()
  for (let next = await events.next(); next.done !== true && !res.destroyed; next = await events.next()) {
    if (performance.now() - checkedAt > RECHECK_MS) {
      const isInvalid = await stillHolds().then(
        () => false,
        (error: unknown) => {
          res.locals.error = error
          return true
        },
      )
      if (isInvalid) break
      checkedAt = performance.now()
    }
    if (!res.write(next.value)) await drain(res)
    // Gives way to other requests while a follower catches up with many past events.
    await schedule(async () => undefined)
  }
  stop()
  res.end()
}

const stops = new WeakMap<ServerResponse, () => void>()

/** Registers how to end an endless answer when the service stops. */
export function onShutdown(res: ServerResponse, stop: () => void): void {
  stops.set(res, stop)
}

/** Ends an endless answer after the event that is being sent. */
export function endEvents(res: ServerResponse): void {
  stops.get(res)?.()
}

/** Resolves when the client has read enough for more to be written, or has disconnected. */
export function drain(res: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    if (res.destroyed) return resolve()
    const done = () => {
      res.off('drain', done).off('close', done)
      resolve()
    }
    res.on('drain', done).on('close', done)
  })
}

/** Calls `make` for the next piece of a stream when the queue comes to the caller's key. */
export type Schedule = <T>(make: () => Promise<T>) => Promise<T>
