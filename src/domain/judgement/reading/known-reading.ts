import type { JsonObject } from '../../model.js'
import type { MemoKind, TextCache } from '../../text-cache.js'
import { type Reading, readPayload } from './reading.js'

/** The size of a reading in characters, without its text. */
const OVERHEAD = 200
/** The approximate size of a reading, per character of its text. */
const READ = 20
/** A link to a context is compared with up to a thousand memories, and the next one with mostly the same. */
const READINGS: MemoKind<Reading> = { most: 8_000_000, sizeOf: ({ text }) => OVERHEAD + READ * text.length }

/** The reading of a payload, given as the JSON of an object. */
export function knownReading(json: string, texts: TextCache): Reading {
  const known = texts.memo(READINGS)
  const before = known.get(json)
  if (before !== undefined) return before
  const reading = readPayload(JSON.parse(json) as JsonObject)
  known.set(json, reading)
  return reading
}
