import { errorCode, Failure, type FailureCode } from '../../domain/failure.js'

/** SQLSTATE of a full disk. */
const FULL = '53100'
/** SQLSTATE of a statement after a failed one in the same transaction. */
const ABORTED = '25P02'
/** SQLSTATE of a write on a standby, or in a read-only session. */
const READ_ONLY = '25006'
/** Classes of SQLSTATE of temporary failures. */
const PASSING = ['08', '40', '53', '55', '57', '58', 'XX000', ABORTED]
/** Prefixes of SQLSTATE that mean a lost connection; `25P03` is a transaction that was idle for too long. */
const CONNECTION = ['08', '57P', '25P03']
const NETWORK = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOENT',
])
/** Messages of `pg` and PgBouncer for lost connections, which have no code. */
const BROKEN =
  /connection (?:terminated|ended|error)|not queryable|trying to connect|read timeout|after calling end|server conn crashed|bouncer/i

/** Names what was not done, in messages. */
export type Verb = 'read' | 'recorded' | 'imported' | 'erased' | 'changed'

/** The connection was lost after a change was sent, so it may have been made. */
export class OutcomeUnknown extends Failure {}

/**
 * Converts an error of the database into a failure for the caller; errors of this program are returned as they are. `isKnown`
 * is false if the change may have been made.
 */
export function toFailure(error: unknown, verb: Verb = 'read', isKnown = true): unknown {
  if (error instanceof Failure) return error
  const nothing = `nothing was ${verb}`
  const fail = (code: FailureCode, message: string) => new Failure(code, message, { cause: error })
  const code = errorCode(error)
  if (code === FULL) return fail('storage_full', `The disk of the database is full; ${nothing}.`)
  if (code === READ_ONLY)
    return fail('storage_unavailable', `The database takes no writes at the moment; ${nothing}.`)
  if (!isPassing(error)) return error
  if (isKnown || !isConnectionLost(error))
    return fail('storage_unavailable', `The database cannot be used at the moment; ${nothing}.`)
  const outcome = `whether this was ${verb} is not known: ${AGAIN[verb] ?? 'send it again'}`
  return new OutcomeUnknown('storage_unavailable', `The database cannot be used at the moment; ${outcome}.`, {
    cause: error,
  })
}

const AGAIN: Partial<Record<Verb, string>> = {
  recorded: 'send it again, with the same Idempotency-Key if it had one',
}

/** Did the connection fail, so that another one may work? */
export function isConnectionLost(error: unknown): boolean {
  const code = errorCode(error)
  if (code === undefined) return error instanceof Error && BROKEN.test(error.message)
  return NETWORK.has(code) || CONNECTION.some((start) => code.startsWith(start))
}

/** Did `pg` give up a statement that took too long? */
export function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout'
}

/** Is the session read-only, as on a standby? */
export function isReadOnly(error: unknown): boolean {
  return errorCode(error) === READ_ONLY
}

function isPassing(error: unknown): boolean {
  if (isConnectionLost(error)) return true
  const code = errorCode(error)
  return code !== undefined && PASSING.some((start) => code.startsWith(start))
}
