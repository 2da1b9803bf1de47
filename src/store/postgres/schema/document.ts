import { createHash } from 'node:crypto'
import { contentOf } from '../../../domain/events/same-event.js'
import type { ContextId, JsonObject, NewMemory } from '../../../domain/model.js'
import { splitContextId } from '../../../domain/names.js'
import { stemsOf } from '../../../domain/search/text-analysis.js'
import { textOf } from '../../../domain/text.js'

/** What a memory is found by: its stems, those of its context's name and type included. */
export interface Document {
  /** How often each stem occurs, in the order of first occurrence. */
  readonly counts: ReadonlyMap<string, number>
  readonly length: number
}

export function documentOf(payload: JsonObject, contextId: ContextId): Document {
  const { name, type } = splitContextId(contextId)
  const counts = new Map<string, number>()
  let length = 0
  for (const text of [textOf(payload), name, type])
    for (const stem of stemsOf(text)) {
      counts.set(stem, (counts.get(stem) ?? 0) + 1)
      length++
    }
  return { counts, length }
}

/** What makes two events the same, as a key of fixed length. */
export function contentHash({
  contextId,
  eventKind,
  payload,
}: Pick<NewMemory, 'contextId' | 'eventKind' | 'payload'>): Buffer {
  return createHash('sha256')
    .update(contentOf(contextId, eventKind, payload))
    .digest()
}
