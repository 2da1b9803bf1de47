import type { TextCache } from '../../../domain/text-cache.js'
import type { Turn } from '../../../loop/yielding.js'
import type { Logger } from '../../../store/logger.js'
import type { Meaning } from '../../../store/meaning.js'
import type { Files } from '../disk/files.js'
import type { Lock } from '../disk/lock.js'

export interface JsonStoreOptions {
  /** The data folder; made if it is not there. */
  readonly folder: string
  readonly now: () => Date
  readonly randomBytes: (size: number) => Uint8Array
  readonly log: Logger
  /** Cleared by every erasure; one that the store shares with the engine, or else one of its own. */
  readonly texts?: TextCache
  /** Reads memories for meaning, in the background; without it, none are read. */
  readonly meaning?: Meaning
  /** When a question that has taken some milliseconds may go on; at the next turn of the event loop if it is left out. */
  readonly turn?: Turn
  /** Called once, when the disk can no longer be trusted: the process should end, and not with 0. */
  readonly onFatal?: (error: Error) => void
  /** About how many bytes of memory open graphs may take before the least recently used are closed. */
  readonly memoryBudget?: number
  /** The least length of a journal at which it is compacted into the snapshot. */
  readonly compactBytes?: number
  readonly files?: Files
  readonly lock?: (folder: string, pid?: number) => Promise<Lock>
  /** Our process id, which a second process that finds the folder in use gives in its error. */
  readonly pid?: number
}
