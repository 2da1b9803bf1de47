import type { ClockAndRandom } from '../../domain/clock-and-random.js'
import type { PastEvent } from '../../domain/events/recording.js'
import { Recorder } from '../../domain/events/recording.js'
import { contentOf } from '../../domain/events/same-event.js'
import { Failure } from '../../domain/failure.js'
import type { MemoryId, NewMemory } from '../../domain/model.js'

const BATCH = 1000
const EMPTY = {
  lastSeq: 0,
  lastId: undefined,
  lastRecordedAt: '',
  sameEvent: () => undefined,
  has: () => true,
}

/** Events as a graph would hold them had they been recorded now, in this order: with ids, times and sightings. */
export function* asRecordedNow(
  events: readonly NewMemory[],
  { now, randomBytes }: ClockAndRandom,
): Generator<PastEvent[]> {
  if (events.length === 0) throw new Failure('invalid_import', 'There is nothing to import.')
  const moment = now()
  const recorder = new Recorder(EMPTY, contentOf, { now: () => moment, randomBytes })
  const seen = new Map<MemoryId, number>()
  for (let start = 0; start < events.length; start += BATCH)
    yield events.slice(start, start + BATCH).map((event) => {
      const { id: memoryId, recordedAt } = recorder.record(event).record
      const timesSeen = (seen.get(memoryId) ?? 0) + 1
      seen.set(memoryId, timesSeen)
      return { memoryId, occurredAt: recordedAt, ...event, recordedAt, timesSeen }
    })
}
