import type { IncomingMessage } from 'node:http'

const BEARER = /^Bearer +([A-Za-z0-9._~+/-]+=*) *$/i

/** The secret that a request was sent with, however it is written; undefined when there is none. */
export function bearerOf({ headers }: Pick<IncomingMessage, 'headers'>): string | undefined {
  return BEARER.exec(headers.authorization ?? '')?.[1]
}
