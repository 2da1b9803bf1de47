import { gramsOf, splitContextId } from '../../../domain/names.js'
import type { BulkWrite } from '../connection/bulk-write.js'
import { sortKey } from '../schema/rows.js'
import { Blocks } from '../search/blocks.js'
import { gramBlockOf, gramEntryOf } from '../search/trigrams.js'
import type { Change } from './change.js'

export function flushContexts(tables: BulkWrite, { contexts }: Change): void {
  const added = [...contexts.values()].filter(({ isNew }) => isNew)
  const parts = added.map(({ id }) => splitContextId(id))
  tables.insert('contexts', [
    ['context_no', 'integer', added.map(({ no }) => no)],
    ['context_id', 'text', added.map(({ id }) => id)],
    ['context_type', 'text', parts.map(({ type }) => type)],
    ['context_name', 'text', parts.map(({ name }) => name)],
    ['sort_key', 'bytea', added.map(({ id }) => sortKey(id))],
    ['memories', 'integer', added.map(({ memories }) => memories)],
    ['seq', 'bigint', added.map(({ seq }) => seq)],
    ['created_at', 'text', added.map(({ createdAt }) => createdAt)],
    ['updated_at', 'text', added.map(({ updatedAt }) => updatedAt)],
  ])
  const changed = [...contexts.values()].filter(({ isNew, changed }) => changed && !isNew)
  tables.update('update-contexts', 'contexts', [
    ['context_no', 'integer', changed.map(({ no }) => no)],
    ['memories', 'integer', changed.map(({ memories }) => memories)],
    ['updated_at', 'text', changed.map(({ updatedAt }) => updatedAt)],
  ])
  const types = new Map<string, { contexts: number; memories: number }>()
  const grams = new Blocks()
  for (const { id, no, isNew, added } of contexts.values()) {
    if (!isNew && added === 0) continue
    const { type, name } = splitContextId(id)
    const counts = types.get(type) ?? { contexts: 0, memories: 0 }
    types.set(type, { contexts: counts.contexts + (isNew ? 1 : 0), memories: counts.memories + added })
    if (isNew) for (const gram of gramsOf(name)) grams.add(gram, gramBlockOf(no), gramEntryOf(no))
  }
  tables.insert(
    'context_types',
    [
      ['context_type', 'text', [...types.keys()]],
      ['sort_key', 'bytea', Array.from(types.keys(), sortKey)],
      ['contexts', 'integer', Array.from(types.values(), ({ contexts }) => contexts)],
      ['memories', 'bigint', Array.from(types.values(), ({ memories }) => memories)],
    ],
    `ON CONFLICT (graph_id, context_type) DO UPDATE SET contexts = context_types.contexts + excluded.contexts,
      memories = context_types.memories + excluded.memories`,
  )
  // `BulkWrite.done` waits for it.
  grams.flush(tables, 'name_grams', 'gram').catch(() => undefined)
}
