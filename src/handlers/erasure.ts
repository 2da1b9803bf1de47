import type { components } from '../contract/generated/api.js'
import type { Caller } from '../contract/operations.js'
import { Failure } from '../domain/failure.js'
import type { Erasure, GraphId } from '../domain/model.js'
import type { Store } from '../store/store.js'
import type { HandlerPorts } from './ports.js'

export type Erase = (
  graphId: GraphId,
  what: Erasure,
  query: { readonly dry_run: boolean },
  caller: Caller,
) => Promise<components['schemas']['ErasureReceipt']>

/** Returns a function that erases, or only counts with `dry_run`, and writes the receipt. */
export function eraser(store: Store, { now, audit }: Pick<HandlerPorts, 'now' | 'audit'>): Erase {
  return async (graphId, what, { dry_run }, caller) => {
    const erasing = store.erase(graphId, what, { dryRun: dry_run })
    const { memories, relationships, contexts, memoryIds } = await erasing.catch((error: unknown) => {
      // Audited too: the erased data may be gone from answers although a file with it could not be removed.
      if (!dry_run && error instanceof Failure && error.code === 'storage_unavailable')
        audit(caller, { erasing: graphId, failed: error.code })
      throw error
    })
    if (!dry_run) audit(caller, { erased: graphId, memories, relationships, contexts })
    return {
      dry_run,
      graph_id: graphId,
      memories,
      relationships,
      contexts,
      memory_ids: [...memoryIds],
      ...(!dry_run && { erased_at: now().toISOString() }),
      key_id: caller.principal.keyId,
    }
  }
}
