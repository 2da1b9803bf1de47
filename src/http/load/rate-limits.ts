import type { Request } from 'express'
import type { Rate } from '../../config/serving.js'
import type { Principal } from '../../contract/operations.js'
import { ROOT_KEY } from '../../domain/keys.js'
import type { Answer } from '../pipeline/exchange.js'
import { HttpFailure } from '../problems/problems.js'
import { TokenBuckets } from './token-buckets.js'

/** Limits the requests of each key and the wrong secrets from each address. */
export interface RateLimits {
  /** Counts a request, and notes the remaining quota for the answer. Throws 429 when the quota is used up. */
  admit(res: Answer, principal: Principal): void
  /** Counts a wrong secret. Throws 429 when its address has sent too many. */
  wrongSecret(req: Request): void
}

/** Enough for typing errors; stops a program that guesses secrets at its 16th attempt. */
const WRONG_SECRETS: Rate = { quota: 15, windowSeconds: 60 }

/**
 * Rate limits with token buckets. The root secret is not limited, since it could create any number of keys.
 * Secrets are verified first and counted only if they are wrong, so that valid callers behind the same
 * address or proxy are still served. Without a `rate` keys are not limited; wrong secrets always are.
 */
export function rateLimits(rate: Rate | undefined, now: () => number = () => performance.now()): RateLimits {
  const byAddress = new TokenBuckets(WRONG_SECRETS, now)
  return {
    admit: rate === undefined ? () => {} : admitAt(rate, now),
    wrongSecret(req) {
      const { admitted, seconds } = byAddress.take(networkOf(req.socket.remoteAddress ?? ''))
      if (!admitted)
        throw tooMany(
          `Too many wrong secrets came from this address. Try again in ${inWords(seconds)}.`,
          seconds,
        )
    },
  }
}

function admitAt(rate: Rate, now: () => number): RateLimits['admit'] {
  const { quota, windowSeconds } = rate
  const byKey = new TokenBuckets(rate, now)
  const policy = `"requests";q=${quota};w=${windowSeconds}`
  return (res, { keyId }) => {
    if (keyId === ROOT_KEY) return
    const { admitted, remaining, seconds } = byKey.take(keyId)
    res.locals.rateLimit = { policy, state: `"requests";r=${remaining};t=${seconds}` }
    if (!admitted)
      throw tooMany(
        `This key may make ${quota} requests in ${inWords(windowSeconds)}. Try again in ${inWords(seconds)}.`,
        seconds,
      )
  }
}

/** No limits: for requests that have been counted already, and for tests. */
export const NO_LIMITS: RateLimits = { admit() {}, wrongSecret() {} }

/** An IPv4 address, or the first 64 bits of an IPv6 address, since a customer has at least such a network. */
export function networkOf(address: string): string {
  if (address.includes('.') || !address.includes(':')) return address.slice(address.lastIndexOf(':') + 1)
  const [head = '', tail] = address.split('%', 1).join('').split('::', 2)
  const groups = head === '' ? [] : head.split(':')
  const rest = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : 8 - groups.length - rest.length
  return [...groups, ...Array.from({ length: zeros }, () => '0'), ...rest].slice(0, 4).join(':')
}

function tooMany(detail: string, seconds: number): HttpFailure {
  return new HttpFailure('too_many_requests', detail, { headers: { 'Retry-After': String(seconds) } })
}

function inWords(seconds: number): string {
  return seconds === 1 ? '1 second' : `${seconds} seconds`
}
