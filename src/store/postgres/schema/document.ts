import { createHash } from 'node:crypto'
import { type Content, contentOf, type Said } from '../../../domain/events/same-event.js'
import type { ContextId, JsonObject } from '../../../domain/model.js'
import { splitContextId } from '../../../domain/names.js'
import { stemsOf } from '../../../domain/search/text-analysis.js'
import { textOf } from '../../../domain/text.js'
import type { TextCache } from '../../../domain/text-cache.js'

/** What a memory is found by: its stems, those of its context's name and type included. */
export interface Document {
  /** How often each stem occurs, in the order of first occurrence. */
  readonly counts: ReadonlyMap<string, number>
  readonly length: number
}

export function documentOf(payload: JsonObject, contextId: ContextId, texts: TextCache): Document {
  const { name, type } = splitContextId(contextId)
  const counts = new Map<string, number>()
  let length = 0
  for (const text of [textOf(payload), name, type])
    for (const stem of stemsOf(text, texts)) {
      counts.set(stem, (counts.get(stem) ?? 0) + 1)
      length++
    }
  return { counts, length }
}

/** The content of an event under a key of fixed length, the hash by which the database finds it. */
export interface HashedContent extends Content {
  readonly hash: Buffer
}

export function hashedContentOf(event: Said): HashedContent {
  const { text, key } = contentOf(event)
  const hash = createHash('sha256').update(key).digest()
  return { text, key: keyOf(hash), hash }
}

export function keyOf(hash: Buffer): string {
  return hash.toString('latin1')
}
