import { firstMaker, type Key, type KeyId, refuseToAdd, type Scope } from '../../domain/keys.js'
import type { GraphId, Source } from '../../domain/model.js'
import type { Page, Paging } from '../../domain/page.js'
import type { KeyStore } from '../../store/key-store.js'
import { type Database, prepared } from './database.js'
import { sharedCall } from './shared-call.js'

const COLUMNS = 'key_id, name, scopes, graphs, sources, makers, created_at, expires_at'
const ADD = `INSERT INTO keys (${COLUMNS}, secret_hash) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`
const LIST = `SELECT ${COLUMNS} FROM keys WHERE $1::text[] IS NULL OR graphs <@ $1 ORDER BY key_id LIMIT $2 OFFSET $3`
const TOTAL = 'SELECT count(*) AS total FROM keys WHERE $1::text[] IS NULL OR graphs <@ $1'
const FIND = prepared(`SELECT ${COLUMNS}, secret_hash FROM keys WHERE secret_hash = ANY($1)`)
const MAKERS = `SELECT count(*) FILTER (WHERE key_id = $1) AS maker, count(*) FILTER (WHERE makers @> ARRAY[$2]) AS made FROM keys`
const FAMILY = `SELECT ${COLUMNS} FROM keys WHERE key_id = $1 OR makers @> ARRAY[$1] ORDER BY key_id`
const REMOVE = 'DELETE FROM keys WHERE key_id = ANY($1)'
/** Serializes changes of keys, so that no key is made with one that is being removed. Does not block reads. */
const LOCK = 'LOCK TABLE keys IN SHARE ROW EXCLUSIVE MODE'
const CHANGED = { verb: 'changed' } as const

interface KeyColumns {
  readonly key_id: string
  readonly name: string
  readonly scopes: readonly Scope[]
  readonly graphs: readonly string[] | null
  readonly sources: readonly Source[] | null
  readonly makers: readonly string[] | null
  readonly created_at: string
  readonly expires_at: string | null
}

interface FoundColumns extends KeyColumns {
  readonly secret_hash: string
}

/** Stores keys in the database. No process caches any, so that a revoked key is invalid for all processes at once. */
export function createKeyStore(database: Database): KeyStore {
  const lookUp = sharedCall(async (hashes) => {
    const rows = await database.rows<FoundColumns>(FIND, [hashes])
    return new Map(rows.map((row) => [row.secret_hash, toKey(row)]))
  })
  return {
    async add(key, secretHash) {
      const { keyId, name, scopes, graphs, sources, makers, createdAt, expiresAt } = key
      const limits = [graphs ?? null, sources ?? null, makers ?? null]
      const first = firstMaker(key)
      await database.transaction(async (transaction) => {
        if (first !== undefined) {
          await transaction.rows(LOCK)
          const values = [makers?.at(-1), first]
          const [counted] = await transaction.rows<{ maker: number; made: number }>(MAKERS, values)
          refuseToAdd((counted?.maker ?? 0) > 0, counted?.made ?? 0)
        }
        await transaction.rows(ADD, [
          keyId,
          name,
          scopes,
          ...limits,
          createdAt,
          expiresAt ?? null,
          secretHash,
        ])
      }, CHANGED)
    },
    async list(reach: readonly GraphId[] | undefined, paging: Paging): Promise<Page<Key>> {
      const { page, pageSize } = paging
      const rows = await database.rows<KeyColumns>(LIST, [reach ?? null, pageSize, page * pageSize])
      const [counted] = await database.rows<{ total: number }>(TOTAL, [reach ?? null])
      return { items: rows.map(toKey), total: counted?.total ?? 0, ...paging }
    },
    remove: (keyId: KeyId, choose) =>
      database.transaction(async (transaction) => {
        await transaction.rows(LOCK)
        const chosen = choose((await transaction.rows<KeyColumns>(FAMILY, [keyId])).map(toKey))
        await transaction.rows(REMOVE, [chosen.map((key) => key.keyId)])
        return chosen
      }, CHANGED),
    find: async (secretHash) => (await lookUp([secretHash])).get(secretHash),
  }
}

function toKey(row: KeyColumns): Key {
  return {
    keyId: row.key_id,
    name: row.name,
    scopes: row.scopes,
    ...(row.graphs !== null && { graphs: row.graphs }),
    ...(row.sources !== null && { sources: row.sources }),
    ...(row.makers !== null && { makers: row.makers }),
    createdAt: row.created_at,
    ...(row.expires_at !== null && { expiresAt: row.expires_at }),
  }
}
