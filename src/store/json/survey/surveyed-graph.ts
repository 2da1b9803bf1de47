import type { MemoryId } from '../../../domain/model.js'
import { splitContextId } from '../../../domain/names.js'
import { monthOf, StatementCounts } from '../../../domain/survey/counts.js'
import { isExpired } from '../../../domain/time.js'
import { stands } from '../../../domain/trust/claims/claims.js'
import type { PresentReader } from '../../store.js'
import type { GraphRecord } from '../log/records.js'
import { Graph } from '../memory/graph.js'
import type { Prepared } from '../rows/duplicate-index.js'
import { NOW } from '../rows/moment.js'
import type { MemoryRow } from '../rows/rows.js'
import { GraphNow } from './graph-now.js'
import { Statements } from './statements.js'
import type { Surveyed } from './surveyed.js'

/** One graph in memory with what is needed to look over the whole of it. */
export class SurveyedGraph extends Graph implements Surveyed {
  readonly counts = new StatementCounts()
  readonly statements = new Statements(this.rows)
  readonly decisions: MemoryRow[] = []
  readonly ofType = new Map<string, number>()
  readonly #ending = new Set<MemoryRow>()
  override readonly now: PresentReader = new GraphNow(this)

  override apply(record: GraphRecord, content?: Prepared): void {
    if (record.op === 'sighted') this.statements.keepFirst(record.id)
    super.apply(record, content)
    if (record.op === 'rewritten') return
    this.statements.add(record)
    if (record.validUntil !== undefined) this.#ending.add(this.rows.get(record.id))
    const kind = record.op === 'recorded' ? record.kind : undefined
    this.counts.add(record.source, monthOf(record.recordedAt), kind)
    if (record.op === 'sighted') return
    if (kind === 'decision') this.decisions.push(this.rows.get(record.id))
    const { type } = splitContextId(record.context)
    this.ofType.set(type, (this.ofType.get(type) ?? 0) + 1)
  }

  *expired(): Generator<void, ReadonlySet<MemoryId>> {
    const now = this.timeline.statedAt(NOW)
    const found = new Set<MemoryId>()
    for (const { id, validUntil } of this.#ending) {
      if (isExpired(validUntil, now) && stands(this.claims.get(id))) found.add(id)
      yield
    }
    return found
  }
}
