import type { Lexicon } from '../../lexicon/lexicon.js'
import type { TextCache } from '../../text-cache.js'

/** What the engine needs besides a graph and a question. */
export interface EnginePorts {
  readonly lexicon: Lexicon
  /** Where it keeps what it works out from texts; the store clears it after an erasure. */
  readonly texts: TextCache
}
