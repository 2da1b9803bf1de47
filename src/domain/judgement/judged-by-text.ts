import type { ContextId, JsonObject, MemoryId } from '../model.js'
import type { Judgement } from '../trust/claims/claims.js'
import { fieldsIn, type RecordFields } from '../trust/fields.js'
import { agrees, likenessTo, mayReplace, readPayload, sameThing, saysMuchMore } from './judgement.js'
import type { Reading } from './reading/reading.js'

/** A payload and where it is filed. */
export interface Filed {
  readonly payload: JsonObject
  readonly contextId: ContextId
}

/**
 * The judgement of memories by their payloads alone. A memory that `filed` does not know speaks of nothing.
 */
export function judgedByText(filed: (id: MemoryId) => Filed | undefined): Judgement {
  const readings = new Map<MemoryId, Reading | undefined>()
  const readingOf = (id: MemoryId): Reading | undefined => {
    if (readings.has(id)) return readings.get(id)
    const known = filed(id)
    const reading = known && readPayload(known.payload)
    readings.set(id, reading)
    return reading
  }
  return judgedByReading(readingOf, (id) => {
    const known = filed(id)
    return known && fieldsIn(known.payload, known.contextId)
  })
}

/** The same, for a store that keeps readings itself. */
export function judgedByReading(
  readingOf: (id: MemoryId) => Reading | undefined,
  fieldsOf: (id: MemoryId) => RecordFields | undefined,
): Judgement {
  const both =
    <T>(verdict: (a: Reading, b: Reading) => T, otherwise: T) =>
    (one: MemoryId, other: MemoryId) => {
      const [a, b] = [readingOf(one), readingOf(other)]
      return a !== undefined && b !== undefined ? verdict(a, b) : otherwise
    }
  return {
    fieldsOf,
    sameThing: both(sameThing, false),
    saysTheSame: both(agrees, false),
    likeness: both((a, b) => likenessTo(a)(b), 0),
    mayReplace: both(mayReplace, false),
    saysMuchMore: both(saysMuchMore, true),
  }
}
