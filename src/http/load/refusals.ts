import { HttpFailure } from '../problems/problems.js'

const SOON = { headers: { 'Retry-After': '1' } }

/** Nobody has room. */
export function overloaded(): HttpFailure {
  return new HttpFailure('overloaded', 'The service is overloaded. Try again in a second.', SOON)
}

/** A key, or an address from which unknown secrets come, has as much as it may have at once. */
export function tooMany(what: string, then = 'Wait for their answers.'): HttpFailure {
  return new HttpFailure('too_many_requests', `${what}, which is the most. ${then}`, SOON)
}
