import type { IncomingMessage } from 'node:http'

const BEARER = /^Bearer +([A-Za-z0-9._~+/-]+=*) *$/i

/** The secret in the `Authorization` header; undefined when there is none, or when it is malformed. */
export function bearerOf({ headers }: Pick<IncomingMessage, 'headers'>): string | undefined {
  return BEARER.exec(headers.authorization ?? '')?.[1]
}
