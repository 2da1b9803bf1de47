import { hash } from 'node:crypto'
import { Failure } from '../domain/failure.js'
import { ID_BYTES, makeKeyId } from '../domain/ids.js'
import { beyond, graphsWithin, type Key, keyNotFound } from '../domain/keys.js'
import { SCOPES } from '../domain/scopes.js'
import { makeSecret } from '../domain/secret.js'
import { parseTimestamp } from '../domain/time.js'
import type { components } from '../generated/api.js'
import type { Handlers, Input } from '../http/operations.js'
import { created, noContent, ok } from '../http/reply.js'
import type { Store } from '../store/store.js'
import { envelope, toPaging } from './paging.js'
import type { Surroundings } from './surroundings.js'

type WireKey = components['schemas']['Key']

export function keyHandlers(store: Store, { now, randomBytes, audit }: Omit<Surroundings, 'lines'>) {
  return {
    async createKey({ body }, caller) {
      const key = toKey(body, now(), randomBytes(ID_BYTES))
      const mistake = beyond(key, caller.principal)
      if (mistake !== undefined)
        throw new Failure('beyond_own_key', `${mistake.path} ${mistake.message}.`, { errors: [mistake] })
      const secret = makeSecret(randomBytes)
      await store.keys.add(key, hash('sha256', secret))
      audit(caller, { created: key.keyId, scopes: key.scopes, graphs: key.graphs })
      return created({ secret, ...fromKey(key) })
    },

    async listKeys({ query }, { principal }) {
      const keys = await store.keys.list(principal.graphs, toPaging(query))
      return ok({ keys: keys.items.map(fromKey), ...envelope(keys) })
    },

    async revokeKey({ path: { key_id } }, caller) {
      try {
        const { graphs } = await store.keys.get(key_id)
        // A key out of reach is as good as none: the answer is the same.
        if (!graphsWithin(graphs, caller.principal.graphs)) throw keyNotFound(key_id)
        await store.keys.remove(key_id)
      } catch (error) {
        throw error instanceof Failure && error.code === 'key_not_found' ? keyNotFound(key_id) : error
      }
      audit(caller, { revoked: key_id })
      return noContent()
    },
  } satisfies Pick<Handlers, 'createKey' | 'listKeys' | 'revokeKey'>
}

function toKey(
  { name, scopes, graphs, expires_at }: Input<'createKey'>['body'],
  now: Date,
  random: Uint8Array,
): Key {
  // The validator's own check of this takes names of the object prototype for others.
  if (graphs !== undefined && new Set(graphs).size < graphs.length) {
    const mistake = { path: '/body/graphs', message: 'must not name a graph twice' }
    throw new Failure('invalid_key', `${mistake.path} ${mistake.message}.`, { errors: [mistake] })
  }
  const path = '/body/expires_at'
  const expiresAt = expires_at === undefined ? undefined : parseTimestamp(expires_at, path, 'invalid_key')
  if (expiresAt !== undefined && Date.parse(expiresAt) <= now.getTime()) {
    const message = 'must be in the future'
    throw new Failure('invalid_key', `${path} ${message}.`, { errors: [{ path, message }] })
  }
  return {
    keyId: makeKeyId(now.getTime(), random),
    name,
    scopes: SCOPES.filter((scope) => scopes.includes(scope)),
    ...(graphs !== undefined && { graphs }),
    createdAt: now.toISOString(),
    ...(expiresAt !== undefined && { expiresAt }),
  }
}

function fromKey({ keyId, name, scopes, graphs, createdAt, expiresAt }: Key): WireKey {
  return {
    key_id: keyId,
    name,
    scopes: [...scopes],
    ...(graphs !== undefined && { graphs: [...graphs] }),
    created_at: createdAt,
    ...(expiresAt !== undefined && { expires_at: expiresAt }),
  }
}
