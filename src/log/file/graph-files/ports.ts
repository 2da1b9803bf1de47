import type { ClockAndRandom } from '../../../domain/clock-and-random.js'
import type { TextCache } from '../../../domain/text-cache.js'
import type { MeaningReader } from '../../embedding.js'

/** What the owner of a graph needs from the store. */
export interface GraphPorts {
  readonly clockAndRandom: ClockAndRandom
  readonly texts: TextCache
  /** Reads memories for meaning; without it, none are read. */
  readonly reader: MeaningReader | undefined
  /** Throws when nothing may be written. */
  readonly refuseUnlessWritable: () => void
  /** May anything be written? Also while the store closes. */
  readonly isWritable: () => boolean
  /** Told of everything that went wrong on disk. */
  readonly failed: (error: unknown) => void
  /** Told when a journal was compacted. */
  readonly compacted: (details: object) => void
  readonly announce: Announce
  /** The number of the owner of the data folder, which the folders that it makes have in their names. */
  readonly owner: number
  /** A shorter journal is not compacted. */
  readonly compactBytes: number
}

/** Writes down for good that a graph is about to be in a folder, that it is there, and that it is no more. */
interface Announce {
  creating(folder: string): Promise<void>
  created(folder: string): Promise<void>
  deleted(folder: string): Promise<void>
  /** A folder that is no graph, or no more, was removed. */
  removed(folder: string): Promise<void>
}
