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
import { bearerOf, isOfAddress, laneOf } from '../load/lanes.js'
import type { RateLimits } from '../load/rate-limits.js'
import type { RequestSlots } from '../load/slots.js'
import type { Answer, Authorised, Checked, Routed, Step } from '../pipeline/exchange.js'
import { HttpFailure, REALM } from '../problems/problems.js'

/** Resolves to the principal of a secret, or to the reason for the refusal, as a sentence for the caller. */
type Authenticate = (secret: string) => Promise<Principal | string>

const HOW = 'Send the agent\'s secret as "Authorization: Bearer <AGENT_SECRET>".'

/**
 * Authenticates the caller and checks scope and graph. As in RFC 6750, the challenge names an error only if a
 * secret was sent. A graph in the path is checked here, before the body is read; one in the body by `reach`.
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

/** Limits the database load that one address can cause with unknown secrets. */
const MAX_LOOKUPS_PER_ADDRESS = 8

/** Authenticates a request and counts it for its key. Throws 401 for an invalid secret, 429 above a limit. */
export function caller(
  authenticator: Authenticator,
  limits: RateLimits,
  slots: RequestSlots,
): (req: Request, res: Answer) => Promise<Identified> {
  const { authenticate, knownKey } = authenticator
  const lookups = new ConcurrencyLimit(MAX_LOOKUPS_PER_ADDRESS)
  return async (req, res) => {
    const secret = bearerOf(req)
    if (secret === undefined) throw challenge(HOW)
    const lookUp = () => authenticate(secret)
    const verify = async () => {
      const lane = laneOf(req, knownKey)
      const principal = await (isOfAddress(lane) ? lookups.run(lane, lookUp) : lookUp())
      if (typeof principal !== 'string') return principal
      limits.wrongSecret(req)
      throw challenge(principal, ', error="invalid_token"')
    }
    const principal = await verify()
    limits.admit(res, principal)
    const slot = slots.claim(res, principal)
    if (slot !== undefined) res.locals.slot = slot
    return { principal, secret, stillHolds: async () => void (await verify()) }
  }
}

/** Throws 403 for a graph in the body that the key may not access. Runs after the validator. */
export function reach(): Step<Omit<Checked, 'caller'>, Pick<Checked, 'caller'>> {
  return (req, res, next) => {
    const { operation, principal, requestId } = res.locals
    if (operation.graphIn === 'body') checkReach(principal, req.body)
    res.locals.caller = { requestId, principal }
    next()
  }
}

/** Gives the same answer whether the graph exists or not, so that it reveals nothing. */
function checkReach({ graphs }: Principal, { graph_id }: { readonly graph_id?: string }): void {
  if (graphs === undefined || (graph_id !== undefined && graphs.includes(graph_id))) return
  throw new HttpFailure('graph_forbidden', 'This secret does not reach that graph. Ask for one that does.')
}

export interface Authenticator {
  readonly authenticate: Authenticate
  /**
   * The key of a secret that was valid when last used. Does not ask the store. Always knows the root secret.
   */
  readonly knownKey: (secret: string) => KeyId | undefined
}

/** Number of recently used keys to remember for `knownKey`. */
const MAX_KNOWN_KEYS = 10_000

interface AuthenticatorParts {
  /** The hash of the root secret. */
  readonly rootHash: Buffer
  readonly keys: Pick<Store['keys'], 'find'>
  readonly now: () => Date
}

/** Verifies secrets by their hashes. The hash of the root secret is compared in constant time. */
export function authenticator({ rootHash, keys, now }: AuthenticatorParts): Authenticator {
  const root: Principal = { keyId: ROOT_KEY, scopes: SCOPES }
  const recentKeys = new Lru<string, KeyId>(MAX_KNOWN_KEYS)
  const authenticate: Authenticate = async (secret) => {
    const hash = hashSecret(secret)
    if (timingSafeEqual(hash, rootHash)) return root
    const name = hash.toString('hex')
    const key = await keys.find(name)
    recentKeys.delete(name)
    if (key === undefined)
      return isMistyped(secret)
        ? 'The secret was mistyped: its last characters do not fit the rest. Copy it again.'
        : 'The secret is not known. Check that it was copied whole, and that its key was not revoked.'
    if (key.expiresAt !== undefined && now().getTime() >= Date.parse(key.expiresAt))
      return `The secret expired at ${key.expiresAt}. Ask for a new one.`
    recentKeys.set(name, key.keyId)
    return key
  }
  return {
    authenticate,
    knownKey(secret) {
      const hash = hashSecret(secret)
      return timingSafeEqual(hash, rootHash) ? ROOT_KEY : recentKeys.get(hash.toString('hex'))
    },
  }
}

function challenge(detail: string, error = ''): HttpFailure {
  return new HttpFailure('unauthorized', detail, { headers: { 'WWW-Authenticate': REALM + error } })
}
