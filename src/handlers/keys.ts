import { Failure } from '../domain/failure.js'
import type { Handlers } from '../http/operations.js'
import type { Store } from '../store/store.js'

export function keyHandlers(_store: Store) {
  const soon = (): never => {
    throw new Failure('not_implemented', 'Not implemented yet.')
  }
  return {
    listKeys: async () => soon(),
    createKey: async () => soon(),
    revokeKey: async () => soon(),
  } satisfies Partial<Handlers>
}
