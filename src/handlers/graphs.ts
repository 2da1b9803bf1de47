import { Failure } from '../domain/failure.js'
import type { Handlers } from '../http/operations.js'
import type { Store } from '../store/store.js'

export function graphHandlers(_store: Store) {
  const soon = (): never => {
    throw new Failure('not_implemented', 'Not implemented yet.')
  }
  return {
    listGraphs: async () => soon(),
    deleteGraph: async () => soon(),
    exportGraph: async () => soon(),
    importGraph: async () => soon(),
    deleteContext: async () => soon(),
    deleteMemory: async () => soon(),
  } satisfies Partial<Handlers>
}
