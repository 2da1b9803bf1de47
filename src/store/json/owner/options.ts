import type { Logger } from '../../logger.js'
import type { Files } from '../disk/files.js'
import type { Lock } from '../disk/lock.js'

export interface JsonStoreOptions {
  /** The data folder; made if it is not there. */
  readonly folder: string
  readonly now: () => Date
  readonly randomBytes: (size: number) => Uint8Array
  readonly log: Logger
  /** Called once, when the disk can no longer be trusted: the process should end, and not with 0. */
  readonly onFatal?: (error: Error) => void
  /** About how many bytes of memory open graphs may take before those not used for longest are closed. */
  readonly memoryBudget?: number
  /** The least length of a journal at which it is folded into the snapshot. */
  readonly foldBytes?: number
  readonly files?: Files
  readonly lock?: (folder: string, pid?: number) => Promise<Lock>
  /** Our process, to be named to whoever finds the folder in use. */
  readonly pid?: number
}
