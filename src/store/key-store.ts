import type { Key, KeyId } from '../domain/keys.js'
import type { GraphId } from '../domain/model.js'
import type { Page, Paging } from '../domain/page.js'

/** The API keys, found by the hash of their secret. The secrets themselves are not stored. */
export interface KeyStore {
  /**
   * Adds a key. Durable before it resolves, and then found by `find`. Rejects with `beyond_own_key` if the
   * key that created it has been removed, and with `too_many_keys` above the limit of descendants of one key.
   */
  add(key: Key, secretHash: string): Promise<void>

  /** Keys, oldest first; with `reach`, only keys limited to some of those graphs. */
  list(reach: readonly GraphId[] | undefined, paging: Paging): Promise<Page<Key>>

  /**
   * Calls `choose` with the key and all its descendants (the keys created with it, directly or indirectly),
   * and removes the keys that it returns, all or none. Resolves to them. Durable before it resolves; `find`
   * stops finding them at once, in other processes within a second.
   */
  remove(keyId: KeyId, choose: (family: readonly Key[]) => readonly Key[]): Promise<readonly Key[]>

  /** The key with this hash of its secret (SHA-256, hex), expired or not. Called for every request. */
  find(secretHash: string): Promise<Key | undefined>
}
