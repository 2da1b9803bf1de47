import { firstMaker, type Key, type KeyId, refuseToAdd, type Scope } from '../../../domain/keys.js'
import type { GraphId, Source } from '../../../domain/model.js'
import type { Page, Paging } from '../../../domain/page.js'
import type { KeyStore } from '../../key-store.js'
import type { Database } from '../connection/database.js'
import { SharedLookup } from '../connection/shared-lookup.js'

const COLUMNS = 'key_id, name, scopes, graphs, sources, makers, created_at, expires_at'
const ADD = {
  name: 'add-key',
  text: `INSERT INTO keys (${COLUMNS}, secret_hash) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
}
const LIST = {
  name: 'list-keys',
  text: `SELECT ${COLUMNS} FROM keys WHERE $1::text[] IS NULL OR graphs <@ $1 ORDER BY key_id LIMIT $2 OFFSET $3`,
}
const TOTAL = {
  name: 'count-keys',
  text: 'SELECT count(*) AS total FROM keys WHERE $1::text[] IS NULL OR graphs <@ $1',
}
const FIND = {
  name: 'find-keys',
  text: `SELECT ${COLUMNS}, secret_hash FROM keys WHERE secret_hash = ANY($1)`,
}
const MAKERS = {
  name: 'count-makers',
  text: `SELECT count(*) FILTER (WHERE key_id = $1) AS maker, count(*) FILTER (WHERE makers @> ARRAY[$2]) AS made FROM keys`,
}
const FAMILY = {
  name: 'list-family',
  text: `SELECT ${COLUMNS} FROM keys WHERE key_id = $1 OR makers @> ARRAY[$1] ORDER BY key_id`,
}
const REMOVE = { name: 'remove-keys', text: 'DELETE FROM keys WHERE key_id = ANY($1)' }
/** One change of keys at a time, so that none is made with one that is being removed; they are read meanwhile. */
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

/** Keys in the database: nothing of them is remembered, so that a key that was revoked anywhere is gone everywhere. */
export function createKeyStore(database: Database): KeyStore {
  const lookup = new SharedLookup(async (hashes) => {
    const rows = await database.ask((session) => session.rows<FoundColumns>(FIND, [hashes]))
    return new Map(rows.map((row) => [row.secret_hash, toKey(row)]))
  })
  return {
    async add(key, secretHash) {
      const { keyId, name, scopes, graphs, sources, makers, createdAt, expiresAt } = key
      const limits = [graphs ?? null, sources ?? null, makers ?? null]
      const values = [keyId, name, scopes, ...limits, createdAt, expiresAt ?? null, secretHash]
      const first = firstMaker(key)
      await database.write(async (session) => {
        if (first !== undefined) {
          await session.run(LOCK)
          const counted = await session.row<{ maker: number; made: number }>(MAKERS, [makers?.at(-1), first])
          refuseToAdd((counted?.maker ?? 0) > 0, counted?.made ?? 0)
        }
        await session.rows(ADD, values)
      }, CHANGED)
    },
    list: (reach: readonly GraphId[] | undefined, paging: Paging): Promise<Page<Key>> =>
      database.read(async (session) => {
        const { page, pageSize } = paging
        const rows = await session.rows<KeyColumns>(LIST, [reach ?? null, pageSize, page * pageSize])
        const counted = await session.row<{ total: number }>(TOTAL, [reach ?? null])
        return { items: rows.map(toKey), total: counted?.total ?? 0, ...paging }
      }),
    remove: (keyId: KeyId, choose) =>
      database.write(async (session) => {
        await session.run(LOCK)
        const chosen = choose((await session.rows<KeyColumns>(FAMILY, [keyId])).map(toKey))
        await session.rows(REMOVE, [chosen.map((key) => key.keyId)])
        return chosen
      }, CHANGED),
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
    ...(row.makers !== null && { makers: row.makers }),
    createdAt: row.created_at,
    ...(row.expires_at !== null && { expiresAt: row.expires_at }),
  }
}
