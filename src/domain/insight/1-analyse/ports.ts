import type { TextCache } from '../../text-cache.js'

/** What the engine needs besides a graph and a question. */
export interface EnginePorts {
  /** Where it keeps what it works out from texts; the store clears it after an erasure. */
  readonly texts: TextCache
}
