import type { ClockAndRandom } from '../../domain/clock-and-random.js'
import { canonicalJson } from '../../domain/events/same-event.js'
import { Failure } from '../../domain/failure.js'
import { nextMemoryId } from '../../domain/ids.js'
import type { MemoryId, NewMemory, PastEvent } from '../../domain/model.js'

const BATCH = 1000
const RANDOM = 16

/** Events as a graph would hold them had they been recorded now, in this order: with ids, times and sightings. */
export function* asRecordedNow(
  events: readonly NewMemory[],
  { now, randomBytes }: ClockAndRandom,
): Generator<PastEvent[]> {
  if (events.length === 0) throw new Failure('invalid_import', 'There is nothing to import.')
  const seen = new Map<string, { memoryId: MemoryId; times: number }>()
  const recordedAt = now().toISOString()
  let previous: MemoryId | undefined
  for (let start = 0; start < events.length; start += BATCH)
    yield events.slice(start, start + BATCH).map((event) => {
      const { contextId, eventKind, source, payload, links, occurredAt = recordedAt } = event
      const sameness = JSON.stringify([contextId, eventKind, canonicalJson(payload)])
      let first = seen.get(sameness)
      if (first === undefined) {
        previous = nextMemoryId(previous, Date.parse(recordedAt), randomBytes(RANDOM))
        first = { memoryId: previous, times: 0 }
        seen.set(sameness, first)
      }
      first.times++
      const { memoryId, times: timesSeen } = first
      return { memoryId, contextId, eventKind, source, payload, links, occurredAt, recordedAt, timesSeen }
    })
}
