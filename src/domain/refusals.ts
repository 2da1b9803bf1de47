/** What both stores say in the same words, whoever is asked. */
import { Failure } from './failure.js'
import type { ContextId, GraphId, MemoryId } from './model.js'

export function graphNotFound(graphId: GraphId): Failure {
  return new Failure('graph_not_found', `There is no graph ${graphId}. Record an event in it first.`)
}

export function graphExists(graphId: GraphId): Failure {
  return new Failure(
    'graph_exists',
    `There is a graph ${graphId} already. Import under another name, or delete it first.`,
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

export function storeClosed(): Failure {
  return new Failure('storage_unavailable', 'The store is closed.')
}
