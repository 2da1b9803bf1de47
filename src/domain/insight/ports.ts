import type { Pause } from '../search/knowledge.js'
import type { TextCache } from '../text-cache.js'
import type { AnswerReader } from './answer-reader.js'
import type { Models } from './models.js'

/** What the engine needs besides a graph and a question. */
export interface EnginePorts {
  /** Caches results computed from texts; the store clears it after an erasure. */
  readonly texts: TextCache
  /** Judges whether texts answer a question; absent without a reader. */
  readonly reader?: AnswerReader
  /** The shipped models, if left out. */
  readonly models?: Models
  /** Absent if nobody else waits. */
  readonly pause?: Pause | undefined
}
