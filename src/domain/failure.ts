import type { ContextId, GraphId, MemoryId } from './model.js'

/** Everything that can go wrong by the rules of the domain or in a store. `http/problems.ts` gives each its status. */
export type FailureCode =
  | 'graph_not_found'
  | 'context_not_found'
  | 'memory_not_found'
  | 'invalid_name'
  | 'invalid_event'
  | 'invalid_time'
  | 'content_too_large'
  | 'unknown_memory'
  | 'unknown_place'
  | 'invalid_import'
  | 'graph_exists'
  | 'still_running'
  | 'idempotency_key_reused'
  | 'invalid_key'
  | 'key_not_found'
  | 'beyond_own_key'
  | 'too_many_keys'
  | 'source_forbidden'
  | 'overloaded'
  | 'storage_full'
  | 'graph_too_large'
  | 'storage_unavailable'

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

/** A failure of one field. The sentence says what is wrong with `what`, by default with the path of the field. */
export function fieldFailure(code: FailureCode, path: string, message: string, what = path): Failure {
  return new Failure(code, `${what} ${message}.`, { errors: [{ path, message }] })
}

export function graphNotFound(graphId: GraphId): Failure {
  return new Failure('graph_not_found', `There is no graph ${graphId}. Record an event in it first.`)
}

export function noGraphYet(graphId: GraphId): Failure {
  return new Failure(
    'graph_not_found',
    `There was no graph ${graphId} then: its first event was recorded later.`,
  )
}

export function graphExists(graphId: GraphId): Failure {
  return new Failure(
    'graph_exists',
    `There is a graph ${graphId} already. Import under another name, or delete it first.`,
  )
}

/** It needs more memory than the process may take. What needs no open graph goes on: export, erasure and removal. */
export function graphTooLarge(graphId: GraphId): Failure {
  return new Failure(
    'graph_too_large',
    `The graph ${graphId} does not fit into the memory of this process. Give it more with LOREGRAPH_MEMORY and NODE_OPTIONS=--max-old-space-size, or split the graph.`,
  )
}

export function contextNotFound(contextId: ContextId): Failure {
  return new Failure('context_not_found', `The graph has no context ${contextId}.`)
}

export function memoryNotFound(memoryId: MemoryId): Failure {
  return new Failure('memory_not_found', `The graph has no memory ${memoryId}.`)
}

export function stillRunning(): Failure {
  return new Failure(
    'still_running',
    'A request with this Idempotency-Key is still under way. Try again to get its answer.',
  )
}

export function keyReused(): Failure {
  return new Failure(
    'idempotency_key_reused',
    'This Idempotency-Key was used with another body. Use a new key for a new write.',
  )
}

/** A write that was erased is not brought back by sending it again. */
export function keySpent(): Failure {
  return new Failure(
    'idempotency_key_reused',
    'What was recorded with this Idempotency-Key has been erased since. To record it anew, use a new key.',
  )
}

export function storeClosed(): Failure {
  return new Failure('storage_unavailable', 'The store is closed.')
}

/** The system's name for what went wrong, e.g. `ENOSPC`. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
