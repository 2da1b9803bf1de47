import type { Verb } from './errors.js'

export interface WriteOptions {
  /** What a caller is told was not done, when it was not. */
  readonly verb?: Verb
  /** For work of unknown length: at most half of the connections are given to such work, so that others find one. */
  readonly unhurried?: boolean
  /**
   * For a graph that may be larger than the statistics know: what is asked is planned without a look at which graph it is.
   * One that they do not know is taken for tiny, so that any index that begins with the graph seems to do.
   */
  readonly growing?: boolean
}

/** `SET LOCAL` lasts as long as the transaction. */
const UNLIMITED = "SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = '5min'"
const UNSEEN = 'SET LOCAL plan_cache_mode = force_generic_plan'

/** How the transaction of a write begins. */
export function beginningOf({ unhurried = false, growing = false }: WriteOptions): string {
  return ['BEGIN', ...(unhurried ? [UNLIMITED] : []), ...(growing ? [UNSEEN] : [])].join('; ')
}
