import { decisionsOf, statementOf } from '../../../domain/events/recording.js'
import type { ContextId, MemoryId, Receipt } from '../../../domain/model.js'
import { recordsAgainst } from '../../../domain/trust/claims/against.js'
import { assess } from '../../../domain/trust/claims/assess.js'
import { Changes } from '../../../domain/trust/claims/changes.js'
import type { Claims } from '../../../domain/trust/claims/claims.js'
import type { ClaimsThen } from '../../../domain/trust/history.js'
import { effectsOf, replay } from '../../../domain/trust/record.js'
import type { ClaimTable } from '../../../domain/trust/table.js'
import type { EventRecord } from '../../records.js'
import { claimOf } from '../rows/claim-of.js'
import type { Memories } from '../rows/memories.js'
import type { MemoryRow } from '../rows/rows.js'

/** The parts of a graph that say what stands. */
interface Standing {
  readonly rows: Memories
  readonly claims: ClaimsThen
}

/** What a record does to the claims, by what was decided of it. */
export function changesBy(record: EventRecord, contextId: ContextId, claims: ClaimTable): Changes {
  const changes = new Changes(claims)
  replay({ ...statementOf(record, contextId), decisions: decisionsOf(record) }, changes)
  return changes
}

/** Does a record of a new memory do nothing to any other? Most are such, and applying those is what opening mostly does. */
export function isAlone({ links, decisions }: EventRecord): boolean {
  return links.length === 0 && decisions === undefined
}

/** What a record is answered with, by the claims as they are after it and before the next. */
export function receiptOf(
  record: EventRecord,
  { claims }: { readonly claims: Pick<Claims, 'get'> },
): Receipt {
  const claimed = (id: MemoryId) => {
    const claim = claims.get(id)
    if (claim === undefined) throw new Error(`There is no claim of the memory ${id}.`)
    return claim
  }
  const own = claimed(record.id)
  const { contextId } = own
  const effects = effectsOf({ ...statementOf(record, contextId), decisions: decisionsOf(record) })
  return {
    memoryId: record.id,
    status: record.op === 'recorded' ? 'recorded' : 'duplicate',
    contextId,
    place: record.place,
    confidence: assess(own, false).confidence,
    bearsOn: effects.map(({ memory, effect }) => ({
      memoryId: memory,
      contextId: claimed(memory).contextId,
      effect,
    })),
  }
}

/** The memories that supersede one, or are in open contradiction with it. */
export function opposing({ id }: MemoryRow, { rows, claims }: Standing): MemoryRow[] {
  return [...rows.all(claims.get(id)?.supersededBy ?? []), ...rows.all(claims.opponents(id))]
}

/** The records that contradict the context of a memory as a whole, since it was last stated, in order of recording. */
export function speakingAgainst(row: MemoryRow, { rows, claims }: Standing): MemoryRow[] {
  const records = claims.against(row.context.id)
  const found = recordsAgainst(claims.get(row.id) ?? claimOf(row), records, (id) => claims.get(id))
  return rows.all(found).sort((a, b) => a.number - b.number)
}
