import type { IncomingMessage } from 'node:http'
import type { KeyId } from '../../domain/keys.js'
import { bearerOf } from '../pipeline/bearer.js'
import { networkOf } from './rate-limits.js'

/** Lanes of addresses; no id of a key has a space. */
const ADDRESS = 'address '

/**
 * The lane in which a request waits at the door: that of its key if its secret was good lately, else that of its address.
 * Were it that of the secret whether it is good or not, inventing one for each request would gain a turn for each.
 */
export function laneOf(
  req: Pick<IncomingMessage, 'headers' | 'socket'>,
  knownKey: (secret: string) => KeyId | undefined,
): string {
  const secret = bearerOf(req)
  const key = secret === undefined ? undefined : knownKey(secret)
  return key ?? ADDRESS + networkOf(req.socket.remoteAddress ?? '')
}

export function isOfAddress(lane: string): boolean {
  return lane.startsWith(ADDRESS)
}
