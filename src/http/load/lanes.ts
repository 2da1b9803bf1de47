import type { IncomingMessage } from 'node:http'
import type { KeyId } from '../../domain/keys.js'
import { networkOf } from './rate-limits.js'

/** Prefix of the lanes of addresses. Key ids have no space, so no key can have such a lane. */
const ADDRESS = 'address '

/**
 * The lane in which a request waits: its key id if the secret was valid when last used, else its address. An
 * unverified secret has no lane of its own, since a client could gain a turn with each one it invents.
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

const BEARER = /^Bearer +([A-Za-z0-9._~+/-]+=*) *$/i

/** The secret in the `Authorization` header; undefined when there is none, or when it is malformed. */
export function bearerOf({ headers }: Pick<IncomingMessage, 'headers'>): string | undefined {
  return BEARER.exec(headers.authorization ?? '')?.[1]
}
