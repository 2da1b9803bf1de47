/** Everything that can go wrong by the rules of the domain or in a store. `http/problems.ts` gives each its status. */
export type FailureCode =
  | 'graph_not_found'
  | 'context_not_found'
  | 'memory_not_found'
  | 'invalid_name'
  | 'invalid_event'
  | 'content_too_large'
  | 'unknown_memory'
  | 'invalid_import'
  | 'graph_exists'
  | 'still_running'
  | 'idempotency_key_reused'
  | 'invalid_key'
  | 'key_not_found'
  | 'beyond_own_key'
  | 'storage_full'
  | 'storage_unavailable'
  | 'not_implemented'

export interface FieldError {
  /** JSON pointer into the request, e.g. `/body/contradicts/0`. */
  readonly path: string
  readonly message: string
}

/** Thrown by code, rendered once: `message` is a sentence for the caller, `cause` is for the log. */
export class Failure extends Error {
  readonly code: FailureCode
  readonly errors: readonly FieldError[]

  constructor(
    code: FailureCode,
    message: string,
    options: { errors?: readonly FieldError[]; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'Failure'
    this.code = code
    this.errors = options.errors ?? []
  }
}
