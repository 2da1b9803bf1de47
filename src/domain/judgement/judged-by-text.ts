import type { JsonObject, MemoryId } from '../model.js'
import type { Judgement } from '../trust/claims/claims.js'
import { agrees, readPayload, sameThing } from './judgement.js'
import type { Reading } from './reading/reading.js'

/**
 * The judgement of two memories by their payloads alone. `payloadOf` is asked once for each memory; one that is not
 * there speaks of nothing.
 */
export function judgedByText(payloadOf: (id: MemoryId) => JsonObject | undefined): Judgement {
  const readings = new Map<MemoryId, Reading | undefined>()
  const readingOf = (id: MemoryId): Reading | undefined => {
    if (readings.has(id)) return readings.get(id)
    const payload = payloadOf(id)
    const reading = payload && readPayload(payload)
    readings.set(id, reading)
    return reading
  }
  return judgedByReading(readingOf)
}

/** The same, for a store that keeps readings itself. */
export function judgedByReading(readingOf: (id: MemoryId) => Reading | undefined): Judgement {
  const both = (verdict: (a: Reading, b: Reading) => boolean) => (one: MemoryId, other: MemoryId) => {
    const [a, b] = [readingOf(one), readingOf(other)]
    return a !== undefined && b !== undefined && verdict(a, b)
  }
  return { sameThing: both(sameThing), saysTheSame: both(agrees) }
}
