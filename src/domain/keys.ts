import { Failure, type FieldError } from './failure.js'
import type { GraphId, Source } from './model.js'

/** `key_` and a ULID. */
export type KeyId = string

/** The id of the root secret, which is no key that could be listed or revoked. */
export const ROOT_KEY = 'root'

/** A key, without its secret. */
export interface Key {
  readonly keyId: KeyId
  readonly name: string
  readonly scopes: readonly Scope[]
  /** The only graphs it reaches; absent for all. */
  readonly graphs?: readonly GraphId[]
  /** The only sources it may record as; absent for all. */
  readonly sources?: readonly Source[]
  /**
   * Who made it: from root, or the first that is known, to the key that it was made with. It names those that have been
   * revoked as well, so that what they made can still be found. Absent from keys of earlier versions.
   */
  readonly makers?: readonly KeyId[]
  readonly createdAt: string
  readonly expiresAt?: string
}

/** The most keys that there may be of those made with one key, directly or through others. */
export const MAX_KEYS_MADE = 1000
/** The most makers of a key, root not counted. */
export const MAX_MAKERS = 10

/** What a key, or the root secret, can do. */
export type Reach = Pick<Key, 'scopes' | 'graphs' | 'sources' | 'expiresAt'>

/** What is wrong with a new key in itself, whoever makes it. */
export function faultIn({ graphs, expiresAt }: Reach, now: Date): FieldError | undefined {
  // The validator's own check of this takes names of the object prototype for others.
  if (graphs !== undefined && new Set(graphs).size < graphs.length)
    return { path: '/body/graphs', message: 'must not name a graph twice' }
  if (expiresAt !== undefined && Date.parse(expiresAt) <= now.getTime())
    return { path: '/body/expires_at', message: 'must be in the future' }
  return undefined
}

/** The field by which a key holds more than `own`, or a new one would, and what it must be instead. */
export function beyond(key: Reach, own: Reach): FieldError | undefined {
  if (!key.scopes.every((scope) => own.scopes.includes(scope)))
    return {
      path: '/body/scopes',
      message: `must hold only scopes of your own key: ${own.scopes.join(', ')}`,
    }
  if (own.sources !== undefined && !(key.sources?.every((source) => own.sources?.includes(source)) ?? false))
    return {
      path: '/body/sources',
      message: `must be given, and name only sources of your own key: ${own.sources.join(', ')}`,
    }
  if (!graphsWithin(key.graphs, own.graphs))
    return { path: '/body/graphs', message: 'must be given, and name only graphs that your own key reaches' }
  if (own.expiresAt !== undefined && (key.expiresAt === undefined || key.expiresAt > own.expiresAt))
    return { path: '/body/expires_at', message: `must be given, and be no later than ${own.expiresAt}` }
  return undefined
}

/** Refuses a new key when its makers are too many. */
export function refuseTooDeep({ makers = [] }: Pick<Key, 'makers'>): void {
  if (makers.filter((maker) => maker !== ROOT_KEY).length > MAX_MAKERS)
    throw new Failure(
      'too_many_keys',
      `Keys can make keys ${MAX_MAKERS} times over, and this would be once more. Make it with a key nearer to root.`,
    )
}

/** The maker that answers for how many keys there are: the first but for root, which makes any number. */
export function firstMaker({ makers = [] }: Pick<Key, 'makers'>): KeyId | undefined {
  return makers.find((maker) => maker !== ROOT_KEY)
}

/** Refuses a key when its maker is gone, or when there are as many of the first maker as there may be. */
export function refuseToAdd(isMakerThere: boolean, made: number): void {
  if (!isMakerThere)
    throw new Failure('beyond_own_key', 'Your own key has been revoked meanwhile. No key was made.')
  if (made >= MAX_KEYS_MADE)
    throw new Failure(
      'too_many_keys',
      `There are ${made} keys made with one key, directly or through others, which is the most. Revoke those that are not needed.`,
    )
}

/**
 * Which of a key and those made with it `own` revokes: the key, or with `withDescendants` all, whether or not the key itself
 * is still there. Those out of its reach are left alone, and are as good as none.
 */
export function revocable(
  family: readonly Key[],
  { keyId, withDescendants }: { readonly keyId: KeyId; readonly withDescendants: boolean },
  own: Reach,
): readonly Key[] {
  const found = family.filter(
    (key) => (withDescendants || key.keyId === keyId) && graphsWithin(key.graphs, own.graphs),
  )
  if (found.length === 0) throw keyNotFound(keyId)
  if (found.some((key) => beyond(key, own) !== undefined)) {
    const message =
      'must be a key that holds no more than your own: no other scope or source, and no longer life'
    throw new Failure('beyond_own_key', `/path/key_id ${message}. No key was revoked.`, {
      errors: [{ path: '/path/key_id', message }],
    })
  }
  return found
}

/** `source_forbidden` for an event of a source that the key may not record as; `path` is the place of the event. */
export function refuseSource({ sources }: Reach, source: Source, path: string): void {
  if (sources === undefined || sources.includes(source)) return
  const message = `must be a source that this key may record as: ${sources.join(', ')}`
  throw new Failure(
    'source_forbidden',
    `This key may not record as ${source}, only as ${sources.join(', ')}.`,
    {
      errors: [{ path: `${path}/source`, message }],
    },
  )
}

/** May it know what others recorded? */
export function mayRead({ scopes }: Reach): boolean {
  return scopes.includes('read')
}

/** May it know which key recorded what? */
export function isAdmin({ scopes }: Reach): boolean {
  return scopes.includes('admin')
}

/** `source_forbidden` for an event that is said to be recorded by some key, unless by somebody who manages keys. */
export function refuseRecorder(reach: Reach, path: string): void {
  if (isAdmin(reach)) return
  const message = 'must not be there, unless a key with the scope admin imports it'
  throw new Failure(
    'source_forbidden',
    'Only a key with the scope admin may say which key recorded what. Import an export that was made without that scope.',
    { errors: [{ path: `${path}/recorded_by`, message }] },
  )
}

function keyNotFound(keyId: KeyId): Failure {
  return new Failure('key_not_found', `There is no key ${keyId}. GET /v1/keys lists those there are.`)
}

export function graphsWithin(
  graphs: readonly GraphId[] | undefined,
  reach: readonly GraphId[] | undefined,
): boolean {
  if (reach === undefined) return true
  return graphs?.every((graph) => reach.includes(graph)) ?? false
}

/** What a key may do. None includes another. */
export const SCOPES = ['read', 'write', 'admin'] as const
export type Scope = (typeof SCOPES)[number]
