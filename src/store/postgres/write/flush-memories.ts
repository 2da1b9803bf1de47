import type { Claim } from '../../../domain/trust/claims/types.js'
import { isPlain } from '../../../domain/trust/table.js'
import { type BulkWrite, type Column, longRows, rowsAtATime } from '../connection/bulk-write.js'
import { basesText, claimText, decisionsText } from '../schema/claims.js'
import { type FreshMemory, linksText, type MemoryState } from '../schema/rows.js'
import type { ClaimsSoFar } from '../trust/claims-so-far.js'
import type { Change } from './change.js'

export async function flushMemories(
  tables: BulkWrite,
  { memories, sightings }: Change,
  { changes }: ClaimsSoFar,
  yielding: () => Promise<void> | undefined,
): Promise<void> {
  const added = [...memories.values()].flatMap((row) => {
    const claim = changes.get(row.id)
    return row.fresh && claim ? { row, fresh: row.fresh, claim } : []
  })
  const plain: Added[] = []
  const others: Added[] = []
  for (const one of added) {
    // Decisions may outlive the links that they were made of, when what these named is erased.
    const { stated, decisions, validUntil } = one.fresh
    const isBare = stated.length === 0 && (decisions ?? validUntil ?? one.row.validUntil) === undefined
    if (isBare && isPlain(one.claim)) plain.push(one)
    else others.push(one)
  }
  for (const some of rowsAtATime(plain, lettersOf)) {
    insertMemories(tables, some, false)
    await yielding()
  }
  for (const some of longRows(others, lettersOf)) {
    insertMemories(tables, some, true)
    await yielding()
  }
  const kept = [...memories.values()].filter(({ fresh, changed }) => changed && fresh === undefined)
  tables.update('update-memories', 'memories', [
    ['seq', 'bigint', kept.map(({ seq }) => seq)],
    ['links', 'text', kept.map(({ links }) => linksText(links))],
    ['times_seen', 'integer', kept.map(({ timesSeen }) => timesSeen)],
    ['last_occurred_at', 'text', kept.map(({ occurredAt }) => occurredAt)],
    ['last_valid_until', 'text', kept.map(({ validUntil }) => validUntil ?? null)],
  ])
  tables.insert('sightings', [
    ['seq', 'bigint', sightings.map(({ record: { seq } }) => seq)],
    ['memory_seq', 'bigint', sightings.map(({ row: { seq } }) => seq)],
    ['context_no', 'integer', sightings.map(({ row: { context } }) => context.no)],
    ['times_seen', 'integer', sightings.map(({ timesSeen }) => timesSeen)],
    ['stated', 'text', sightings.map(({ record: { links } }) => linksText(links))],
    ['recorded_at', 'text', sightings.map(({ record: { recordedAt } }) => recordedAt)],
    ['place', 'bigint', sightings.map(({ record: { place } }) => place)],
    ['source', 'text', sightings.map(({ record: { source } }) => source)],
    ['occurred_at', 'text', sightings.map(({ record: { occurredAt } }) => occurredAt)],
    ['decisions', 'text', sightings.map(({ record: { decisions } }) => decisionsText(decisions))],
    ['valid_until', 'text', sightings.map(({ record: { validUntil } }) => validUntil ?? null)],
    ['recorded_by', 'text', sightings.map(({ record: { recordedBy } }) => recordedBy ?? null)],
  ])
}

interface Added {
  readonly row: MemoryState
  readonly fresh: FreshMemory
  readonly claim: Claim
}

function lettersOf({ fresh }: Added): number {
  return fresh.payload.length
}

/** Most memories are stated once and nothing is said of them yet: then the columns of `hasMore` are null. */
function insertMemories(tables: BulkWrite, added: readonly Added[], hasMore: boolean): void {
  const column = <T>(of: (one: Added) => T): T[] => added.map(of)
  const later = ({ row, fresh }: Added) => (row.occurredAt === fresh.occurredAt ? null : row.occurredAt)
  const more = (): Column[] => [
    ['links', 'text', column(({ row }) => linksText(row.links))],
    ['stated', 'text', column(({ fresh }) => linksText(fresh.stated))],
    ['decisions', 'text', column(({ fresh }) => decisionsText(fresh.decisions))],
    ['last_occurred_at', 'text', column(later)],
    ['valid_until', 'text', column(({ fresh }) => fresh.validUntil ?? null)],
    ['last_valid_until', 'text', column(({ row }) => row.validUntil ?? null)],
    ['claim', 'text', column(({ claim }) => claimText(claim))],
    ['bases', 'text[]', column(({ claim }) => basesText(claim))],
    ['superseded_at', 'bigint', column(({ claim }) => claim.superseded?.place ?? null)],
    ['superseded_source', 'text', column(({ claim }) => claim.superseded?.source ?? null)],
  ]
  tables.insert(
    'memories',
    [
      ['seq', 'bigint', column(({ row }) => row.seq)],
      ['memory_id', 'text', column(({ row }) => row.id)],
      ['context_no', 'integer', column(({ row }) => row.context.no)],
      ['kind', 'text', column(({ fresh }) => fresh.kind)],
      ['source', 'text', column(({ fresh }) => fresh.source)],
      ['payload', 'text', column(({ fresh }) => fresh.payload)],
      ['content', 'bytea', column(({ fresh }) => fresh.content)],
      ['occurred_at', 'text', column(({ fresh }) => fresh.occurredAt)],
      ['recorded_at', 'text', column(({ fresh }) => fresh.recordedAt)],
      ['length', 'integer', column(({ fresh }) => fresh.document.length)],
      ['times_seen', 'integer', column(({ row }) => row.timesSeen)],
      ['place', 'bigint', column(({ fresh }) => fresh.place)],
      ['recorded_by', 'text', column(({ fresh }) => fresh.recordedBy ?? null)],
      ...(hasMore ? more() : []),
    ],
    '',
    hasMore ? 'insert-linked-memories' : 'insert-memories',
  )
}
