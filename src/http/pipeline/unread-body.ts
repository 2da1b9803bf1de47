import type { IncomingMessage } from 'node:http'

const MAX_DISCARDED_BYTES = 65_536

/**
 * Whether the rest of the body is too long, or of unknown length, to discard it just to keep the connection.
 */
export function hasLongUnreadBody(req: IncomingMessage): boolean {
  if (req.complete) return false
  const length = req.headers['content-length']
  if (length === undefined) return req.headers['transfer-encoding'] !== undefined
  return Number(length) > MAX_DISCARDED_BYTES
}
