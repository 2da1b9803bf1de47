import type { Key, KeyId } from '../domain/keys.js'
import type { GraphId } from '../domain/model.js'
import type { Page, Paging } from '../domain/page.js'

/** The keys that are known, each by the hash of its secret; the secrets themselves are nowhere. */
export interface KeyStore {
  /**
   * Durable before it resolves; from then on `find` finds it. Refused with `beyond_own_key` when its maker has been removed,
   * and with `too_many_keys` when there are too many of its first maker.
   */
  add(key: Key, secretHash: string): Promise<void>

  /** The oldest first; with `reach`, only keys that reach no graph but those. */
  list(reach: readonly GraphId[] | undefined, paging: Paging): Promise<Page<Key>>

  /**
   * Gives `choose` the key, if it is there, and those made with it, directly or through others, and removes those that it
   * picks, all or none; resolves with them. Durable before it resolves; from then on `find` does not find them, in no process
   * later than a second after.
   */
  remove(keyId: KeyId, choose: (family: readonly Key[]) => readonly Key[]): Promise<readonly Key[]>

  /** The key with this hash of its secret (SHA-256, hexadecimal), expired or not. Asked with every request. */
  find(secretHash: string): Promise<Key | undefined>
}
