import type { Request } from 'express'
import type { Rate } from '../../config/serving.js'
import type { Principal } from '../../contract/operations.js'
import { ROOT_KEY } from '../../domain/keys.js'
import type { Answer } from '../pipeline/exchange.js'
import { HttpFailure } from '../problems/problems.js'
import { TokenBuckets } from './token-buckets.js'

/** How many requests a key may make, and how many wrong secrets an address may try. */
export interface RateLimits {
  /** Counts a request of a known caller; its answer says what is left. 429 when nothing was. */
  admit(res: Answer, principal: Principal): void
  /** Counts a wrong secret. 429 when there were too many from that address. */
  wrongSecret(req: Request): void
}

/** A person who mistypes does not meet it; a program that guesses meets it with its 16th try. */
const WRONG_SECRETS: Rate = { quota: 15, windowSeconds: 60 }

/**
 * Token buckets. The root secret is not limited, since it can make any number of keys. A wrong secret is counted once it
 * was found to be wrong, so that callers who share an address with a guesser, or a proxy, are served as before. Without a
 * `rate` keys are not limited; wrong secrets always are.
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

/** Nothing is counted: for requests that were counted already, and for tests. */
export const NO_LIMITS: RateLimits = { admit() {}, wrongSecret() {} }

/** An IPv6 customer has at least 64 bits of addresses to himself. */
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
