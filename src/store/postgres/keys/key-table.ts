import type { Scope } from '../../../domain/keys.js'
import { type Key, type KeyId, keyNotFound } from '../../../domain/keys.js'
import type { GraphId, Source } from '../../../domain/model.js'
import type { Page, Paging } from '../../../domain/page.js'
import type { KeyStore } from '../../key-store.js'
import type { Database } from '../connection/database.js'
import { SharedLookup } from '../connection/shared-lookup.js'

const COLUMNS = 'key_id, name, scopes, graphs, sources, created_at, expires_at'
const ADD = {
  name: 'add-key',
  text: `INSERT INTO keys (${COLUMNS}, secret_hash) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
}
const LIST = {
  name: 'list-keys',
  text: `SELECT ${COLUMNS} FROM keys WHERE $1::text[] IS NULL OR graphs <@ $1 ORDER BY key_id LIMIT $2 OFFSET $3`,
}
const TOTAL = {
  name: 'count-keys',
  text: 'SELECT count(*) AS total FROM keys WHERE $1::text[] IS NULL OR graphs <@ $1',
}
const GET = { name: 'get-key', text: `SELECT ${COLUMNS} FROM keys WHERE key_id = $1` }
const FIND = {
  name: 'find-keys',
  text: `SELECT ${COLUMNS}, secret_hash FROM keys WHERE secret_hash = ANY($1)`,
}
const REMOVE = { name: 'remove-key', text: 'DELETE FROM keys WHERE key_id = $1 RETURNING key_id' }
const CHANGED = { verb: 'changed' } as const

interface KeyColumns {
  readonly key_id: string
  readonly name: string
  readonly scopes: readonly Scope[]
  readonly graphs: readonly string[] | null
  readonly sources: readonly Source[] | null
  readonly created_at: string
  readonly expires_at: string | null
}

interface FoundColumns extends KeyColumns {
  readonly secret_hash: string
}

/** Keys in the database: nothing of them is remembered, so that a key that was revoked anywhere is gone everywhere. */
export function createKeyStore(database: Database): KeyStore {
  const lookup = new SharedLookup(async (hashes) => {
    const rows = await database.ask((session) => session.rows<FoundColumns>(FIND, [hashes]))
    return new Map(rows.map((row) => [row.secret_hash, toKey(row)]))
  })
  return {
    async add({ keyId, name, scopes, graphs, sources, createdAt, expiresAt }, secretHash) {
      const limits = [graphs ?? null, sources ?? null]
      const values = [keyId, name, scopes, ...limits, createdAt, expiresAt ?? null, secretHash]
      await database.write((session) => session.rows(ADD, values), CHANGED)
    },
    list: (reach: readonly GraphId[] | undefined, paging: Paging): Promise<Page<Key>> =>
      database.read(async (session) => {
        const { page, pageSize } = paging
        const rows = await session.rows<KeyColumns>(LIST, [reach ?? null, pageSize, page * pageSize])
        const counted = await session.row<{ total: number }>(TOTAL, [reach ?? null])
        return { items: rows.map(toKey), total: counted?.total ?? 0, ...paging }
      }),
    async get(keyId: KeyId) {
      const row = await database.ask((session) => session.row<KeyColumns>(GET, [keyId]))
      if (row === undefined) throw keyNotFound(keyId)
      return toKey(row)
    },
    async remove(keyId: KeyId) {
      const rows = await database.write((session) => session.rows(REMOVE, [keyId]), CHANGED)
      if (rows.length === 0) throw keyNotFound(keyId)
    },
    find: (secretHash: string) => lookup.find(secretHash),
  }
}

function toKey(row: KeyColumns): Key {
  return {
    keyId: row.key_id,
    name: row.name,
    scopes: row.scopes,
    ...(row.graphs !== null && { graphs: row.graphs }),
    ...(row.sources !== null && { sources: row.sources }),
    createdAt: row.created_at,
    ...(row.expires_at !== null && { expiresAt: row.expires_at }),
  }
}
