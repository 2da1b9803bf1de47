import type { Handlers } from '../contract/operations.js'
import type { Lexicon } from '../domain/lexicon/lexicon.js'
import type { Store } from '../store/store.js'
import { contextHandlers } from './contexts.js'
import { eraser } from './erasure.js'
import { eventHandlers } from './events.js'
import { graphHandlers } from './graphs.js'
import { insightHandlers } from './insights.js'
import { keyHandlers } from './keys.js'
import { memoryHandlers } from './memories.js'
import type { HandlerPorts } from './ports.js'

/** Wire in, domain and store, wire out: one handler for every operation of the contract. */
export function createHandlers(store: Store, lexicon: Lexicon, surroundings: HandlerPorts) {
  const erase = eraser(store, surroundings)
  return {
    ...contextHandlers(store, erase),
    ...insightHandlers(store, lexicon),
    ...eventHandlers(store),
    ...memoryHandlers(store, lexicon, erase),
    ...graphHandlers(store, surroundings),
    ...keyHandlers(store, surroundings),
  } satisfies Handlers
}
