import type { Lexicon } from '../domain/lexicon.js'
import type { Handlers } from '../http/operations.js'
import type { Store } from '../store/store.js'
import { contextHandlers } from './contexts.js'
import { eventHandlers } from './events.js'
import { graphHandlers } from './graphs.js'
import { insightHandlers } from './insights.js'
import { keyHandlers } from './keys.js'
import { memoryHandlers } from './memories.js'

/** Wire in, domain and store, wire out: one handler for every operation of the contract. */
export function createHandlers(store: Store, lexicon: Lexicon) {
  return {
    ...contextHandlers(store),
    ...insightHandlers(store, lexicon),
    ...eventHandlers(store),
    ...memoryHandlers(store, lexicon),
    ...graphHandlers(store),
    ...keyHandlers(store),
  } satisfies Handlers
}
