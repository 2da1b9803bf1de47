import { hash as hashOf, timingSafeEqual } from 'node:crypto'
import type { Rung } from './exchange.js'
import { NO_LIMITS, type RateLimits, ROOT_KEY } from './limits.js'
import type { Principal } from './operations.js'
import { Refusal } from './problems.js'

/** Says whose secret it is, if anyone's. */
export type Authenticate = (secret: string) => Principal | undefined

const REALM = 'Bearer realm="loregraph"'
const BEARER = /^Bearer +([A-Za-z0-9._~+/-]+=*) *$/i
const HOW = 'Send the agent\'s secret as "Authorization: Bearer <AGENT_SECRET>".'

/** 401 and 403 as RFC 6750 has them: the challenge names an error only when a secret was sent. */
export function auth(authenticate: Authenticate, limits: RateLimits = NO_LIMITS): Rung {
  return (req, res, next) => {
    const secret = BEARER.exec(req.headers.authorization ?? '')?.[1]
    if (secret === undefined) throw challenge(HOW)
    const principal = authenticate(secret)
    if (principal === undefined) {
      limits.wrongSecret(req)
      throw challenge('The secret is not known. Check that it was copied whole.', ', error="invalid_token"')
    }
    limits.admit(res, principal)
    const { scope } = res.locals.operation
    if (!principal.scopes.includes(scope))
      throw new Refusal('insufficient_scope', `This needs a secret with the scope ${scope}.`, {
        headers: { 'WWW-Authenticate': `${REALM}, error="insufficient_scope", scope="${scope}"` },
      })
    res.locals.principal = principal
    next()
  }
}

/** The one admin secret, known by its hash; compared in constant time. */
export function rootSecret(hash: Buffer): Authenticate {
  const root: Principal = { keyId: ROOT_KEY, scopes: ['read', 'write', 'admin'] }
  return (secret) => (timingSafeEqual(hashSecret(secret), hash) ? root : undefined)
}

/** SHA-256 suffices: a secret is 256 random bits, or 32 characters that its owner chose with as much care. */
export function hashSecret(secret: string): Buffer {
  return hashOf('sha256', secret, 'buffer')
}

function challenge(detail: string, error = ''): Refusal {
  return new Refusal('unauthorized', detail, { headers: { 'WWW-Authenticate': REALM + error } })
}
