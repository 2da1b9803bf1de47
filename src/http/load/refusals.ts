import { HttpFailure } from '../problems/problems.js'

const SOON = { headers: { 'Retry-After': '1' } }

/** 503 for a limit of the whole service. */
export function overloaded(): HttpFailure {
  return new HttpFailure('overloaded', 'The service is overloaded. Try again in a second.', SOON)
}

/** 429 for a limit of one key, or of one address that sends unknown secrets. */
export function tooMany(what: string, advice = 'Wait for their answers.'): HttpFailure {
  return new HttpFailure('too_many_requests', `${what}, which is the most. ${advice}`, SOON)
}
