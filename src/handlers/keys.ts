import type { components } from '../contract/generated/api.js'
import { created, type Handlers, type Input, noContent, ok, type Principal } from '../contract/operations.js'
import { type FieldError, fieldFailure } from '../domain/failure.js'
import { ID_BYTES, makeKeyId } from '../domain/ids.js'
import { beyond, faultIn, type Key, refuseTooDeep, revocable, SCOPES } from '../domain/keys.js'
import { SOURCES } from '../domain/model.js'
import { makeSecret } from '../domain/secret.js'
import { parseTimestamp } from '../domain/time.js'
import { hashSecret } from '../store/hash-secret.js'
import type { Store } from '../store/store.js'
import type { HandlerPorts } from './ports.js'
import { envelope, toPaging } from './wire.js'

type WireKey = components['schemas']['Key']

export function keyHandlers(store: Store, { now, randomBytes, audit }: Omit<HandlerPorts, 'lines'>) {
  return {
    async createKey({ body }, caller) {
      const key = toKey(body, caller.principal, now(), randomBytes(ID_BYTES))
      refuse('invalid_key', faultIn(key, now()))
      refuse('beyond_own_key', beyond(key, caller.principal))
      refuseTooDeep(key)
      const secret = makeSecret(randomBytes)
      await store.keys.add(key, hashSecret(secret).toString('hex'))
      audit(caller, { created: key.keyId, scopes: key.scopes, graphs: key.graphs, sources: key.sources })
      return created({ secret, ...fromKey(key), created_by: caller.principal.keyId })
    },

    async listKeys({ query }, { principal }) {
      const keys = await store.keys.list(principal.graphs, toPaging(query))
      return ok({ keys: keys.items.map(fromKey), ...envelope(keys) })
    },

    async getOwnKey(_input, { principal }) {
      return ok(fromPrincipal(principal))
    },

    async revokeKey({ path, query }, caller) {
      const what = { keyId: path.key_id, withDescendants: query.with_descendants }
      const choose = (family: readonly Key[]) => revocable(family, what, caller.principal)
      for (const { keyId } of await store.keys.remove(path.key_id, choose)) audit(caller, { revoked: keyId })
      return noContent()
    },
  } satisfies Pick<Handlers, 'createKey' | 'listKeys' | 'getOwnKey' | 'revokeKey'>
}

function toKey(
  { name, scopes, graphs, sources, expires_at }: Input<'createKey'>['body'],
  { keyId, makers = [] }: Principal,
  now: Date,
  random: Uint8Array,
): Key {
  return {
    keyId: makeKeyId(now.getTime(), random),
    name,
    scopes: SCOPES.filter((scope) => scopes.includes(scope)),
    ...(graphs !== undefined && { graphs }),
    ...(sources !== undefined && { sources: SOURCES.filter((source) => sources.includes(source)) }),
    makers: [...makers, keyId],
    createdAt: now.toISOString(),
    ...(expires_at !== undefined && {
      expiresAt: parseTimestamp(expires_at, '/body/expires_at', 'invalid_key'),
    }),
  }
}

function refuse(code: 'invalid_key' | 'beyond_own_key', mistake: FieldError | undefined): void {
  if (mistake !== undefined) throw fieldFailure(code, mistake.path, mistake.message)
}

function fromKey(key: Key): WireKey {
  return { ...fromPrincipal(key), name: key.name, created_at: key.createdAt }
}

/** The root secret has no name, and was never made. */
function fromPrincipal(principal: Principal): components['schemas']['OwnKey'] {
  const { keyId, name, scopes, graphs, sources, makers, createdAt, expiresAt } = principal
  const maker = makers?.at(-1)
  return {
    key_id: keyId,
    ...(name !== undefined && { name }),
    scopes: [...scopes],
    ...(graphs !== undefined && { graphs: [...graphs] }),
    ...(sources !== undefined && { sources: [...sources] }),
    ...(maker !== undefined && { created_by: maker }),
    ...(createdAt !== undefined && { created_at: createdAt }),
    ...(expiresAt !== undefined && { expires_at: expiresAt }),
  }
}
