import type { GraphId } from './model.js'
import type { Scope } from './scopes.js'

/** `key_` and a ULID. */
export type KeyId = string

/** A key, without its secret. */
export interface Key {
  readonly keyId: KeyId
  readonly name: string
  readonly scopes: readonly Scope[]
  /** The only graphs it reaches; absent for all. */
  readonly graphs?: readonly GraphId[]
  readonly createdAt: string
  readonly expiresAt?: string
}

/** What a key, or the root secret, can do. */
export type Reach = Pick<Key, 'scopes' | 'graphs' | 'expiresAt'>

/** Whether a key holds nothing that `other` does not hold: no other scope, no other graph, no longer life. */
export function isWithin(key: Reach, other: Reach): boolean {
  return (
    key.scopes.every((scope) => other.scopes.includes(scope)) &&
    graphsWithin(key.graphs, other.graphs) &&
    (other.expiresAt === undefined || (key.expiresAt !== undefined && key.expiresAt <= other.expiresAt))
  )
}

export function graphsWithin(
  graphs: readonly GraphId[] | undefined,
  reach: readonly GraphId[] | undefined,
): boolean {
  if (reach === undefined) return true
  return graphs?.every((graph) => reach.includes(graph)) ?? false
}
