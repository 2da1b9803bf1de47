import type { ClockAndRandom } from '../../../domain/clock-and-random.js'

/** What a keeper needs from the store around it. */
export interface GraphPorts {
  readonly chance: ClockAndRandom
  /** Throws when nothing may be written. */
  readonly refuseUnlessWritable: () => void
  /** Told of everything that went wrong on disk. */
  readonly failed: (error: unknown) => void
  /** Told when a journal was folded. */
  readonly folded: (details: object) => void
  readonly announce: Announce
  /** The last owner of the folder may still be alive, so its journals must not be written to. */
  readonly tookOver: boolean
  /** Below this a journal is not worth folding. */
  readonly foldBytes: number
}

/** Writes down for good that a graph is about to be in a folder, that it is there, and that it is no more. */
export interface Announce {
  creating(folder: string): Promise<void>
  created(folder: string): Promise<void>
  deleted(folder: string): Promise<void>
}
