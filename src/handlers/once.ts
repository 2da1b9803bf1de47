import { hash } from 'node:crypto'
import type { Caller, OperationId } from '../contract/operations.js'
import { canonicalJson } from '../domain/events/canonical.js'
import type { Json } from '../domain/model.js'
import type { Once } from '../store/store.js'

/** Names a write that came with an `Idempotency-Key`: the same value of another caller, or for another operation, is another one. */
export function toOnce(
  operation: OperationId,
  { principal }: Caller,
  headers: { readonly 'idempotency-key'?: string },
  body: Json,
): Once | undefined {
  const name = headers['idempotency-key']
  if (name === undefined) return undefined
  return {
    key: hash('sha256', JSON.stringify([operation, principal.keyId, name])),
    body: hash('sha256', canonicalJson(body)),
  }
}
