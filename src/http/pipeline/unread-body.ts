import type { IncomingMessage } from 'node:http'

const WORTH_READING_TO_THE_END = 65_536

/** An unread body that is too long (or of unknown length) to be read just to keep the connection. */
export function hasMuchToCome(req: IncomingMessage): boolean {
  if (req.complete) return false
  const length = req.headers['content-length']
  if (length === undefined) return req.headers['transfer-encoding'] !== undefined
  return Number(length) > WORTH_READING_TO_THE_END
}
