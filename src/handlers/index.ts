import type { Handlers } from '../contract/operations.js'
import type { Store } from '../store/store.js'
import type { AnswerPorts } from './asking.js'
import { briefHandlers } from './brief.js'
import { contextHandlers } from './contexts.js'
import { eraser } from './erasure.js'
import { eventHandlers } from './events.js'
import { graphHandlers } from './graphs.js'
import { insightHandlers } from './insights.js'
import { keyHandlers } from './keys.js'
import { memoryHandlers } from './memories.js'
import type { HandlerPorts } from './ports.js'
import { surveyHandlers } from './survey.js'

/** One handler for each operation of the contract, which converts between the API and the domain. */
export function createHandlers(store: Store, engine: AnswerPorts, ports: HandlerPorts) {
  const erase = eraser(store, ports)
  return {
    ...contextHandlers(store, erase, ports),
    ...insightHandlers(store, engine),
    ...eventHandlers(store, engine, ports),
    ...memoryHandlers(store, engine, erase),
    ...graphHandlers(store, ports, erase),
    ...keyHandlers(store, ports),
    ...surveyHandlers(store),
    ...briefHandlers(store, engine),
  } satisfies Handlers
}
