import type { Content } from '../../../domain/events/same-event.js'

/** What was made of an event before its record is applied. */
export interface Prepared extends Content {
  /** That of its key. */
  readonly hash?: number
  /** Those of its payload. */
  readonly terms?: readonly number[]
}
