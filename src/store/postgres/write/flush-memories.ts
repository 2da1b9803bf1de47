import type { BulkWrite } from '../connection/bulk-write.js'
import { basesText, claimText, decisionsText } from '../schema/claims.js'
import { linksText } from '../schema/rows.js'
import type { ClaimsSoFar } from '../trust/claims-so-far.js'
import type { Change } from './change.js'

export function flushMemories(
  tables: BulkWrite,
  { memories, sightings }: Change,
  { changes }: ClaimsSoFar,
): void {
  const added = [...memories.values()].flatMap((row) => {
    const claim = changes.get(row.id)
    return row.fresh && claim ? { row, fresh: row.fresh, claim } : []
  })
  const later = ({ row, fresh }: (typeof added)[number]) =>
    row.occurredAt === fresh.occurredAt ? null : row.occurredAt
  tables.insert('memories', [
    ['seq', 'bigint', added.map(({ row: { seq } }) => seq)],
    ['memory_id', 'text', added.map(({ row: { id } }) => id)],
    ['context_no', 'integer', added.map(({ row: { context } }) => context.no)],
    ['kind', 'text', added.map(({ fresh: { kind } }) => kind)],
    ['source', 'text', added.map(({ fresh: { source } }) => source)],
    ['payload', 'text', added.map(({ fresh: { payload } }) => payload)],
    ['content', 'bytea', added.map(({ fresh: { content } }) => content)],
    ['occurred_at', 'text', added.map(({ fresh: { occurredAt } }) => occurredAt)],
    ['recorded_at', 'text', added.map(({ fresh: { recordedAt } }) => recordedAt)],
    ['length', 'integer', added.map(({ fresh: { document } }) => document.length)],
    ['stated', 'text', added.map(({ fresh: { stated } }) => linksText(stated))],
    ['links', 'text', added.map(({ row: { links } }) => linksText(links))],
    ['times_seen', 'integer', added.map(({ row: { timesSeen } }) => timesSeen)],
    ['place', 'bigint', added.map(({ fresh: { place } }) => place)],
    ['decisions', 'text', added.map(({ fresh: { decisions } }) => decisionsText(decisions))],
    ['last_occurred_at', 'text', added.map(later)],
    ['claim', 'text', added.map(({ claim }) => claimText(claim))],
    ['bases', 'text[]', added.map(({ claim }) => basesText(claim))],
    ['superseded_at', 'bigint', added.map(({ claim }) => claim.superseded?.place ?? null)],
    ['superseded_source', 'text', added.map(({ claim }) => claim.superseded?.source ?? null)],
  ])
  const kept = [...memories.values()].filter(({ fresh, changed }) => changed && fresh === undefined)
  tables.update('update-memories', 'memories', [
    ['seq', 'bigint', kept.map(({ seq }) => seq)],
    ['links', 'text', kept.map(({ links }) => linksText(links))],
    ['times_seen', 'integer', kept.map(({ timesSeen }) => timesSeen)],
    ['last_occurred_at', 'text', kept.map(({ occurredAt }) => occurredAt)],
  ])
  tables.insert('sightings', [
    ['seq', 'bigint', sightings.map(({ record: { seq } }) => seq)],
    ['memory_seq', 'bigint', sightings.map(({ row: { seq } }) => seq)],
    ['times_seen', 'integer', sightings.map(({ timesSeen }) => timesSeen)],
    ['stated', 'text', sightings.map(({ record: { links } }) => linksText(links))],
    ['recorded_at', 'text', sightings.map(({ record: { recordedAt } }) => recordedAt)],
    ['place', 'bigint', sightings.map(({ record: { place } }) => place)],
    ['source', 'text', sightings.map(({ record: { source } }) => source)],
    ['occurred_at', 'text', sightings.map(({ record: { occurredAt } }) => occurredAt)],
    ['decisions', 'text', sightings.map(({ record: { decisions } }) => decisionsText(decisions))],
  ])
}
