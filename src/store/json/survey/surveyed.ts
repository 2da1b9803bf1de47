import type { MemoryId } from '../../../domain/model.js'
import type { StatementCounts } from '../../../domain/survey/counts.js'
import type { Kept } from '../answers/graph-then.js'
import type { MemoryRow } from '../rows/rows.js'
import type { Statements } from './statements.js'

/** What the answers are made from that look over the whole of a graph. */
export interface Surveyed extends Kept {
  readonly lastSeq: number
  readonly lastPlace: number
  readonly counts: StatementCounts
  readonly statements: Statements
  readonly decisions: readonly MemoryRow[]
  /** How many memories are filed under contexts of a type. */
  readonly ofType: ReadonlyMap<string, number>
  /** The memories that stand and have run out, in small steps. */
  expired(): Generator<void, ReadonlySet<MemoryId>>
}
