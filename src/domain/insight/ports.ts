import type { Pause } from '../search/knowledge.js'
import type { TextCache } from '../text-cache.js'
import type { AnswerReader } from './answer-reader.js'
import type { Models } from './models.js'

/** What the engine needs besides a graph and a question. */
export interface EnginePorts {
  /** Where it keeps what it works out from texts; the store clears it after an erasure. */
  readonly texts: TextCache
  /** Reads a text for meaning; left out where nothing does. */
  readonly meaning?: VectorSource
  /** Reads whether texts answer a question; left out where nothing does. */
  readonly reader?: AnswerReader
  /** Those that are shipped, if left out. */
  readonly models?: Models
  /** Left out where nobody waits. */
  readonly pause?: Pause | undefined
}

export interface VectorSource {
  /** As `toBytes` makes it (meaning/nearness.ts); undefined when the text cannot be read now. */
  vectorOf(text: string): Promise<Int8Array | undefined>
}
