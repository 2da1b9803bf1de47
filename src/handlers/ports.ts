import type { Caller } from '../contract/operations.js'
import type { LineSchema } from '../domain/transfer/decode.js'

/** What handlers need besides a store. */
export interface HandlerPorts {
  readonly now: () => Date
  readonly randomBytes: (size: number) => Uint8Array
  /** The contract's schema for a line of an export. */
  readonly lines: LineSchema
  readonly audit: Audit
  /** Maximum time between two messages of a feed. */
  readonly heartbeatMs?: number
}

/** Records irreversible and security-relevant actions, with ids and counts, never texts or secrets. */
type Audit = (caller: Caller, what: Readonly<Record<string, unknown>>) => void

/** Writes the audit to a log. */
export function auditLog(log: { info(line: object, message: string): void }): Audit {
  return ({ requestId, principal }, what) =>
    log.info({ id: requestId, key: principal.keyId, ...what }, 'audit')
}
