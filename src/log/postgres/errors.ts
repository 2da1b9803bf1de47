import { errorCode, Failure, type FailureCode } from '../../domain/failure.js'

/** SQLSTATE of a full disk. */
const FULL = '53100'
/** SQLSTATE of a statement that follows one that failed, in the same transaction. */
const ABORTED = '25P02'
/** A standby, or a session that may only read. */
const READ_ONLY = '25006'
/** Classes of SQLSTATE that say that the database cannot serve now, not that the statement was wrong. */
const PASSING = ['08', '40', '53', '55', '57', '58', 'XX', ABORTED]
/** What ends a connection; `25P03` is a transaction that was idle for too long. */
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
/** What `pg`, and PgBouncer, say without a code. */
const BROKEN =
  /connection (?:terminated|ended|error)|not queryable|trying to connect|read timeout|after calling end|server conn crashed|bouncer/i

/** What was asked for, and what was not done with it. */
export type Verb = 'read' | 'recorded' | 'imported' | 'erased' | 'changed'

/** The connection was lost when the change had been sent: it may have happened. */
export class OutcomeUnknown extends Failure {}

/**
 * What a caller is told when the database did not do what was asked; a mistake of ours stays what it is. `isKnown` is
 * false when it may have been done all the same.
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

/** Is it the connection that failed, so that another one may do better? */
export function isConnectionLost(error: unknown): boolean {
  const code = errorCode(error)
  if (code !== undefined && (NETWORK.has(code) || CONNECTION.some((start) => code.startsWith(start))))
    return true
  return error instanceof Error && BROKEN.test(error.message)
}

/** Was the session told to read only, as those of a standby are? */
export function isReadOnly(error: unknown): boolean {
  return errorCode(error) === READ_ONLY
}

function isPassing(error: unknown): boolean {
  if (isConnectionLost(error)) return true
  const code = errorCode(error)
  return code !== undefined && PASSING.some((start) => code.startsWith(start))
}
