import type { Key, KeyId } from '../domain/keys.js'
import type { GraphId } from '../domain/model.js'
import type { Page, Paging } from '../domain/page.js'

/** The keys that are known, each by the hash of its secret; the secrets themselves are nowhere. */
export interface KeyStore {
  /** Durable before it resolves; from then on `find` finds it. */
  add(key: Key, secretHash: string): Promise<void>

  /** The oldest first; with `reach`, only keys that reach no graph but those. */
  list(reach: readonly GraphId[] | undefined, paging: Paging): Promise<Page<Key>>

  /** One key, or `key_not_found`. */
  get(keyId: KeyId): Promise<Key>

  /** Durable before it resolves; from then on `find` does not find it, in no process later than a second after. */
  remove(keyId: KeyId): Promise<void>

  /** The key with this hash of its secret (SHA-256, hexadecimal), expired or not. Asked with every request. */
  find(secretHash: string): Promise<Key | undefined>
}
