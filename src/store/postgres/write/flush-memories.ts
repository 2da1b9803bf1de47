import type { BulkWrite } from '../connection/bulk-write.js'
import { linksText } from '../schema/rows.js'
import type { Change } from './change.js'

export function flushMemories(tables: BulkWrite, { memories, sightings }: Change): void {
  const added = [...memories.values()].flatMap((row) => (row.fresh ? { row, fresh: row.fresh } : []))
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
    ['sighted', 'bigint[]', added.map(({ row: { sighted } }) => `{${sighted.join()}}`)],
    ['agreements', 'integer', added.map(({ row: { agreements } }) => agreements)],
    ['contradictions', 'integer', added.map(() => 0)],
  ])
  const kept = [...memories.values()].filter(({ fresh, changed }) => changed && fresh === undefined)
  tables.update('update-memories', 'memories', [
    ['seq', 'bigint', kept.map(({ seq }) => seq)],
    ['links', 'text', kept.map(({ links }) => linksText(links))],
    ['times_seen', 'integer', kept.map(({ timesSeen }) => timesSeen)],
    ['sighted', 'bigint[]', kept.map(({ sighted }) => `{${sighted.join()}}`)],
    ['agreements', 'integer', kept.map(({ agreements }) => agreements)],
  ])
  tables.insert('sightings', [
    ['seq', 'bigint', sightings.map(({ seq }) => seq)],
    ['memory_seq', 'bigint', sightings.map(({ memory }) => memory)],
    ['times_seen', 'integer', sightings.map(({ timesSeen }) => timesSeen)],
    ['stated', 'text', sightings.map(({ links }) => linksText(links))],
    ['recorded_at', 'text', sightings.map(({ recordedAt }) => recordedAt)],
  ])
}
