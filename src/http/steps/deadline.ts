import type { IncomingMessage } from 'node:http'

const unhurried = new WeakSet<IncomingMessage>()

/** Lets a body take as long as it needs. Whoever reads it sees to it that something keeps coming. */
export function liftDeadline(req: IncomingMessage): void {
  unhurried.add(req)
}

/** Whether a body should have arrived by now and has not. */
export function isLate(req: IncomingMessage): boolean {
  return !req.complete && !unhurried.has(req)
}
