import { createHash } from 'node:crypto'
import { contentOf } from '../../../domain/events/content.js'
import type { NewMemory } from '../../../domain/model.js'

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
