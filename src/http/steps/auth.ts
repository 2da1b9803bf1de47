import { timingSafeEqual } from 'node:crypto'
import type { Request } from 'express'
import { ANY_SCOPE, EVENTS } from '../../contract/contract.js'
import type { Principal } from '../../contract/operations.js'
import { type KeyId, ROOT_KEY, SCOPES } from '../../domain/keys.js'
import { Lru } from '../../domain/lru.js'
import { isMistyped } from '../../domain/secret.js'
import { hashSecret } from '../../store/hash-secret.js'
import type { Store } from '../../store/store.js'
import { ConcurrencyLimit } from '../load/concurrency-limit.js'
import { isOfAddress, laneOf } from '../load/lanes.js'
import type { RateLimits } from '../load/rate-limits.js'
import type { RequestSlots } from '../load/slots.js'
import { bearerOf } from '../pipeline/bearer.js'
import type { Answer, Authorised, Checked, Routed, Step } from '../pipeline/exchange.js'
import { HttpFailure, REALM } from '../problems/problems.js'

/** The principal whose secret it is; or, if there is none, what to tell the caller. */
export type Authenticate = (secret: string) => Promise<Principal | string>

const HOW = 'Send the agent\'s secret as "Authorization: Bearer <AGENT_SECRET>".'

/**
 * 401 and 403 as RFC 6750 has them: the challenge names an error only when a secret was sent. A graph in the path is
 * looked at here, before anything is read; one in the body is looked at by `reach`.
 */
export function auth(
  authenticator: Authenticator,
  limits: RateLimits,
  slots: RequestSlots,
): Step<Routed, Pick<Authorised, 'principal' | 'stillHolds'>> {
  const identify = caller(authenticator, limits, slots)
  return async (req, res, next) => {
    const { principal, stillHolds } = await identify(req, res)
    const { scope, graphIn, produces } = res.locals.operation
    if (scope !== ANY_SCOPE && !principal.scopes.includes(scope))
      throw new HttpFailure('insufficient_scope', `This needs a secret with the scope ${scope}.`, {
        headers: { 'WWW-Authenticate': `${REALM}, error="insufficient_scope", scope="${scope}"` },
      })
    res.locals.principal = principal
    res.locals.stillHolds = stillHolds
    if (graphIn === 'path') checkReach(principal, res.locals.pathParams)
    if (produces.includes(EVENTS)) slots.openFeed(res, principal)
    next()
  }
}

interface Identified {
  readonly principal: Principal
  readonly secret: string
  readonly stillHolds: () => Promise<void>
}

/** How many unknown secrets of an address are looked up at once: a database looks up all that are asked for together. */
const LOOKUPS_OF_AN_ADDRESS = 8

/** Whose request it is, counted once. 401 when that is not known, 429 when there are too many. */
export function caller(
  authenticator: Authenticator,
  limits: RateLimits,
  slots: RequestSlots,
): (req: Request, res: Answer) => Promise<Identified> {
  const { authenticate, knownKey } = authenticator
  const lookups = new ConcurrencyLimit(LOOKUPS_OF_AN_ADDRESS)
  return async (req, res) => {
    const secret = bearerOf(req)
    if (secret === undefined) throw challenge(HOW)
    const lookUp = () => authenticate(secret)
    const known = async () => {
      const lane = laneOf(req, knownKey)
      const principal = await (isOfAddress(lane) ? lookups.run(lane, lookUp) : lookUp())
      if (typeof principal !== 'string') return principal
      limits.wrongSecret(req)
      throw challenge(principal, ', error="invalid_token"')
    }
    const principal = await known()
    limits.admit(res, principal)
    const slot = slots.claim(res, principal)
    if (slot !== undefined) res.locals.slot = slot
    return { principal, secret, stillHolds: async () => void (await known()) }
  }
}

/** 403 for a graph in the body that the secret does not reach, once the validator has found it to be one. */
export function reach(): Step<Omit<Checked, 'caller'>, Pick<Checked, 'caller'>> {
  return (req, res, next) => {
    const { operation, principal, requestId } = res.locals
    if (operation.graphIn === 'body') checkReach(principal, req.body)
    res.locals.caller = { requestId, principal }
    next()
  }
}

/** The same bytes for every graph out of reach, without a look at whether it exists. */
function checkReach({ graphs }: Principal, { graph_id }: { readonly graph_id?: string }): void {
  if (graphs === undefined || (graph_id !== undefined && graphs.includes(graph_id))) return
  throw new HttpFailure('graph_forbidden', 'This secret does not reach that graph. Ask for one that does.')
}

export interface Authenticator {
  readonly authenticate: Authenticate
  /** The key of a secret that was good when it was last used; without a look at the store. The root's is always known. */
  readonly knownKey: (secret: string) => KeyId | undefined
}

/** How many keys are known by their secrets: those that were used last. */
const MOST_KNOWN = 10_000

interface Known {
  /** The hash of the root secret. */
  readonly rootHash: Buffer
  readonly keys: Pick<Store['keys'], 'find'>
  readonly now: () => Date
}

/** Secrets are known by their hashes alone: the root's is compared in constant time, a key is looked up by its own. */
export function authenticator({ rootHash, keys, now }: Known): Authenticator {
  const root: Principal = { keyId: ROOT_KEY, scopes: SCOPES }
  const known = new Lru<string, KeyId>(MOST_KNOWN)
  const authenticate: Authenticate = async (secret) => {
    const hash = hashSecret(secret)
    if (timingSafeEqual(hash, rootHash)) return root
    const name = hash.toString('hex')
    const key = await keys.find(name)
    known.delete(name)
    if (key === undefined)
      return isMistyped(secret)
        ? 'The secret was mistyped: its last characters do not fit the rest. Copy it again.'
        : 'The secret is not known. Check that it was copied whole, and that its key was not revoked.'
    if (key.expiresAt !== undefined && now().getTime() >= Date.parse(key.expiresAt))
      return `The secret expired at ${key.expiresAt}. Ask for a new one.`
    known.set(name, key.keyId)
    return key
  }
  return {
    authenticate,
    knownKey(secret) {
      const hash = hashSecret(secret)
      return timingSafeEqual(hash, rootHash) ? ROOT_KEY : known.get(hash.toString('hex'))
    },
  }
}

function challenge(detail: string, error = ''): HttpFailure {
  return new HttpFailure('unauthorized', detail, { headers: { 'WWW-Authenticate': REALM + error } })
}
